// Says what it is connected to, and does what a sharded cluster would refuse, in mongosh; see ../README.md.
(function () {
  const hello = db.hello();
  const server = hello.msg === "isdbgrid" ? "Mongos" : hello.setName ? "RSPrimary" : "Standalone";
  const orders = db.getSiblingDB("shop").getCollection("orders");
  orders.insertOne({ customerId: "mongosh", orderId: 1, status: "open" });
  let refusal = null;
  try {
    orders.findOneAndUpdate({ status: "open" }, { $set: { status: "sent" } });
  } catch (error) {
    refusal = {
      code: error.code,
      codeName: error.codeName,
      labels: error.errorLabels,
      wouldFail: error.errorResponse?.scatterguard?.wouldFail,
    };
  }
  const afterwards = orders.findOne({ customerId: "mongosh", orderId: 1 }).status;
  print("RESULT " + EJSON.stringify({ server, refusal, afterwards }));
})();
