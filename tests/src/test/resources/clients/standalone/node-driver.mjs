// Says what it is connected to, and does what a sharded cluster would refuse, by the Node driver; see ../README.md.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url); // Unlike an import, this looks into NODE_PATH.
const { MongoClient } = require("mongodb");

const client = new MongoClient(process.env.SCATTERGUARD_URI, { serverSelectionTimeoutMS: 10_000 });
let server = null;
client.on("serverDescriptionChanged", (event) => (server = event.newDescription.type));
try {
  const orders = client.db("shop").collection("orders");
  await orders.insertOne({ customerId: "node", orderId: 1, status: "open" });
  const refusal = await orders
    .findOneAndUpdate({ status: "open" }, { $set: { status: "sent" } })
    .then(() => null)
    .catch((error) => ({
      code: error.code,
      codeName: error.codeName,
      labels: error.errorLabels,
      wouldFail: error.errorResponse?.scatterguard?.wouldFail,
    }));
  const afterwards = (await orders.findOne({ customerId: "node", orderId: 1 })).status;
  console.log("RESULT " + JSON.stringify({ server, refusal, afterwards }));
} finally {
  await client.close();
}
