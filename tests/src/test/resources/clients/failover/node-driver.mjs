// Inserts one document after the other by the Node driver, with its defaults; see ../README.md.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { MongoClient } = require("mongodb");

const client = new MongoClient(process.env.SCATTERGUARD_URI, { heartbeatFrequencyMS: 500 });
try {
  const orders = client.db("shop").collection("orders");
  let inserted = 0;
  let failed = 0;
  for (let i = 0; i < 200; i++) {
    try {
      await orders.insertOne({ customerId: "node-driver", orderId: i });
      inserted++;
    } catch (error) {
      console.error(error);
      failed++;
    }
  }
  console.log("RESULT " + JSON.stringify({ inserted, failed }));
} finally {
  await client.close();
}
