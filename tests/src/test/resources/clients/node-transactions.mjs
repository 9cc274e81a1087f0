// Transactions of the MongoDB Node driver; see README.md beside this file.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url); // Unlike an import, this looks into NODE_PATH.
const { MongoClient } = require("mongodb");

const client = new MongoClient(process.env.SCATTERGUARD_URI, { appName: "node-transactions", maxPoolSize: 1 });
const orders = client.db("shop").collection("orders");
const order = (orderId) => ({ customerId: 7, orderId });
let attempts = 0;

async function run() {
  const session = client.startSession();
  try {
    session.startTransaction();
    await orders.insertOne(order(1), { session });
    const inside = await orders.countDocuments({ customerId: 7 }, { session });
    await session.commitTransaction();

    session.startTransaction();
    await orders.insertOne(order(2), { session });
    await session.abortTransaction();

    // The server closes the connection in the first attempt: the driver must see that, and begin anew.
    await session.withTransaction(async () => {
      attempts++;
      await orders.insertOne(order(3), { session });
      await orders.findOne(order(3), { session });
    });
    const afterwards = await orders.countDocuments({ customerId: 7 });
    return { inside, attempts, afterwards };
  } finally {
    await session.endSession();
  }
}

try {
  console.log("RESULT " + JSON.stringify(await run()));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await client.close();
}
