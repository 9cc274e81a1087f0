// Asks the proxy for its status by the Node driver; see ../README.md.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url); // Unlike an import, this looks into NODE_PATH.
const { MongoClient } = require("mongodb");

const client = new MongoClient(process.env.SCATTERGUARD_URI, { serverSelectionTimeoutMS: 10_000 });
try {
  const status = await client.db("admin").command({ scatterguard: 1 });
  const elsewhere = await client.db("shop").command({ scatterguard: 1 }).catch((error) => error.code);
  console.log("RESULT " + JSON.stringify({ status, elsewhere }));
} finally {
  await client.close();
}
