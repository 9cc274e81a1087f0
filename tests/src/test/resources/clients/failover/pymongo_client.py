"""Inserts one document after the other by PyMongo, with its defaults; see ../README.md. Runs on PyMongo 3.11 and later."""
import json
import os
import sys

import pymongo
from pymongo.errors import PyMongoError

client = pymongo.MongoClient(os.environ["SCATTERGUARD_URI"], heartbeatFrequencyMS=500)
inserted = 0
failed = 0
for i in range(200):
    try:
        client.shop.orders.insert_one({"customerId": "pymongo", "orderId": i})
        inserted += 1
    except PyMongoError as error:
        print(repr(error), file=sys.stderr)
        failed += 1
client.close()
print("RESULT " + json.dumps({"inserted": inserted, "failed": failed}))
