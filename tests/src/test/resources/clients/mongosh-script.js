// What a person does in mongosh; see README.md beside this file.
(function () {
  const env = process.env;
  const [first, second] = (env.SCATTERGUARD_KEY ?? "customerId,orderId").split(",");
  const expectRefusal = env.SCATTERGUARD_EXPECT_REFUSAL !== "false";
  const ORDERS = 320;
  const BATCH_SIZE = 50;
  const customer = "mongosh";
  const key = (order) => ({ [first]: customer, [second]: order });
  const orders = db.getSiblingDB(env.SCATTERGUARD_DATABASE ?? "shop")
      .getCollection(env.SCATTERGUARD_COLLECTION ?? "orders");

  function expect(what, actual, expected) {
    if (actual !== expected) {
      throw new Error(`${what}: ${actual} (expected: ${expected})`);
    }
  }

  function broadcast() {
    try {
      orders.find({ status: "open" }).batchSize(BATCH_SIZE).toArray();
      return null;
    } catch (error) {
      if (error.name !== "MongoServerError") {
        throw error;
      }
      return {
        className: error.name,
        code: error.code,
        codeName: error.codeName,
        errmsg: error.errmsg ?? error.message,
        labels: error.errorLabels,
        scatterguard: error.errorResponse?.scatterguard ?? null,
      };
    }
  }

  function run() {
    orders.deleteMany({ [first]: customer });
    orders.insertOne({ ...key(0), status: "open", total: 1 });
    const many = [];
    for (let i = 1; i < ORDERS; i++) {
      many.push({ ...key(i), status: i % 2 ? "paid" : "open", total: i });
    }
    const inserted = 1 + Object.keys(orders.insertMany(many).insertedIds).length;
    expect("inserted", inserted, ORDERS);

    const found = orders.find({ [first]: customer }).batchSize(BATCH_SIZE).toArray().length;
    expect("found", found, ORDERS);

    const groups = orders
      .aggregate([{ $match: { [first]: customer } }, { $group: { _id: "$status", n: { $sum: 1 } } }])
      .toArray();
    const grouped = Object.fromEntries(groups.map((group) => [group._id, group.n]));
    expect("open orders", grouped.open, ORDERS / 2);

    const updated = orders.updateOne(key(7), { $set: { status: "sent" } }).modifiedCount;
    expect("updated", updated, 1);
    const deleted = orders.deleteOne(key(8)).deletedCount;
    expect("deleted", deleted, 1);

    const refusal = broadcast();
    expect("refused", refusal !== null, expectRefusal);
    if (expectRefusal) {
      expect("code", refusal.code, 61001);
      expect("codeName", refusal.codeName, "ScatterGatherRefused");
    }
    const afterwards = orders.findOne(key(7)).status;
    expect("status of the updated order", afterwards, "sent");
    return { inserted, found, getMores: null, grouped, updated, deleted, refusal, afterwards };
  }

  const hello = db.hello();
  const servers = [hello.me, hello.primary, ...(hello.hosts ?? []), ...(hello.passives ?? [])].filter(Boolean);
  const result = run(); // An exception ends mongosh with exit code 1.
  print("RESULT " + JSON.stringify({ client: "mongosh", version: version(), servers, ...result }));
})();
