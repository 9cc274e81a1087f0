// The MongoDB Node driver as an application uses it; see README.md beside this file.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url); // Unlike an import, this looks into NODE_PATH.
const { MongoClient, MongoServerError } = require("mongodb");

const env = process.env;
const [first, second] = (env.SCATTERGUARD_KEY ?? "customerId,orderId").split(",");
const expectRefusal = env.SCATTERGUARD_EXPECT_REFUSAL !== "false";
const ORDERS = 320;
const BATCH_SIZE = 50;
const customer = "node-driver";
const key = (order) => ({ [first]: customer, [second]: order });

function expect(what, actual, expected) {
  if (actual !== expected) {
    throw new Error(`${what}: ${actual} (expected: ${expected})`);
  }
}

async function broadcast(orders) {
  try {
    await orders.find({ status: "open" }).batchSize(BATCH_SIZE).toArray();
    return null;
  } catch (error) {
    if (!(error instanceof MongoServerError)) {
      throw error;
    }
    return {
      className: error.constructor.name,
      code: error.code,
      codeName: error.codeName,
      errmsg: error.errmsg ?? error.message,
      labels: error.errorLabels,
      scatterguard: error.errorResponse?.scatterguard ?? null,
    };
  }
}

async function run(client) {
  let getMores = 0;
  client.on("commandStarted", (event) => (getMores += event.commandName === "getMore" ? 1 : 0));
  const orders = client.db(env.SCATTERGUARD_DATABASE ?? "shop").collection(env.SCATTERGUARD_COLLECTION ?? "orders");
  await orders.deleteMany({ [first]: customer });

  await orders.insertOne({ ...key(0), status: "open", total: 1 });
  const rest = Array.from({ length: ORDERS - 1 }, (_, i) => i + 1);
  const many = rest.map((i) => ({ ...key(i), status: i % 2 ? "paid" : "open", total: i }));
  const inserted = 1 + (await orders.insertMany(many)).insertedCount;
  expect("inserted", inserted, ORDERS);

  const found = (await orders.find({ [first]: customer }).batchSize(BATCH_SIZE).toArray()).length;
  expect("found", found, ORDERS);
  expect("several getMore", getMores >= 3, true);

  const groups = await orders
    .aggregate([{ $match: { [first]: customer } }, { $group: { _id: "$status", n: { $sum: 1 } } }])
    .toArray();
  const grouped = Object.fromEntries(groups.map((group) => [group._id, group.n]));
  expect("open orders", grouped.open, ORDERS / 2);

  const updated = (await orders.updateOne(key(7), { $set: { status: "sent" } })).modifiedCount;
  expect("updated", updated, 1);
  const deleted = (await orders.deleteOne(key(8))).deletedCount;
  expect("deleted", deleted, 1);

  const refusal = await broadcast(orders);
  expect("refused", refusal !== null, expectRefusal);
  if (expectRefusal) {
    expect("code", refusal.code, 61001);
    expect("codeName", refusal.codeName, "ScatterGatherRefused");
  }
  const afterwards = (await orders.findOne(key(7))).status;
  expect("status of the updated order", afterwards, "sent");
  return { inserted, found, getMores, grouped, updated, deleted, refusal, afterwards };
}

const client = new MongoClient(env.SCATTERGUARD_URI, {
  appName: "node-driver",
  maxPoolSize: 1,
  monitorCommands: true,
  serverSelectionTimeoutMS: 30000,
});
const servers = new Set();
client.on("serverOpening", (event) => servers.add(event.address));
try {
  const result = await run(client);
  const { version } = require("mongodb/package.json");
  console.log("RESULT " + JSON.stringify({ client: "node-driver", version, servers: [...servers], ...result }));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await client.close();
}
