// Transactions in which a statement is refused, by the Node driver; see README.md one folder up.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url); // Unlike an import, this looks into NODE_PATH.
const { MongoClient } = require("mongodb");

const ROUNDS = 1000;
const client = new MongoClient(process.env.SCATTERGUARD_URI, { appName: "node-transactions" });
const orders = client.db("shop").collection("orders");
const order = (orderId) => ({ customerId: 7, orderId });
const broadcast = (session) => orders.updateMany({ status: "open" }, { $set: { status: "sent" } }, { session });
let transient = 0;

/** The code of the error that `work` ends with; 0 if it ends well. */
async function codeOf(work) {
  try {
    await work();
    return 0;
  } catch (error) {
    transient += error.hasErrorLabel?.("TransientTransactionError") ? 1 : 0;
    return error.code ?? -1;
  }
}

async function round(session, number, counts) {
  session.startTransaction();
  await orders.insertOne(order(number), { session });
  counts.refused += (await codeOf(() => broadcast(session))) === 61001 ? 1 : 0;
  counts.late += (await codeOf(() => orders.insertOne(order(-number), { session }))) === 251 ? 1 : 0;
  counts.notCommitted += (await codeOf(() => session.commitTransaction())) === 251 ? 1 : 0;
}

async function withTransaction(session, end) {
  let attempts = 0;
  const code = await codeOf(() =>
    session.withTransaction(async () => {
      attempts++;
      await orders.insertOne(order(attempts), { session });
      await end(broadcast(session));
    }),
  );
  return { attempts, code };
}

async function run() {
  const counts = { refused: 0, late: 0, notCommitted: 0 };
  const session = client.startSession();
  try {
    for (let number = 1; number <= ROUNDS; number++) {
      await round(session, number, counts);
    }
    const thrown = await withTransaction(session, (refused) => refused);
    const caught = await withTransaction(session, (refused) => refused.catch(() => {}));
    await session.withTransaction(() => orders.insertOne(order(0), { session }));
    return { ...counts, transient, thrown, caught };
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
