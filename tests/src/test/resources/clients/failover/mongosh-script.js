// Inserts one document after the other in mongosh; see ../README.md.
(function () {
  const orders = db.getSiblingDB("shop").getCollection("orders");
  let inserted = 0;
  let failed = 0;
  for (let i = 0; i < 200; i++) {
    try {
      orders.insertOne({ customerId: "mongosh", orderId: i });
      inserted++;
    } catch (error) {
      print(error);
      failed++;
    }
  }
  print("RESULT " + JSON.stringify({ inserted, failed }));
})();
