"""An exhaust cursor of PyMongo; see README.md beside this file. PyMongo 3.11 asks for it by OP_QUERY."""
import json
import os

import pymongo
from pymongo.cursor import CursorType
from pymongo.errors import PyMongoError

ORDERS = 320

client = pymongo.MongoClient(os.environ["SCATTERGUARD_URI"], appname="pymongo-exhaust", maxPoolSize=1)
orders = client["shop"]["orders"]
orders.insert_many([{"_id": i, "customerId": 7, "orderId": i} for i in range(ORDERS)])
found, error, code = [], None, None
try:
    for order in orders.find({"customerId": 7}, cursor_type=CursorType.EXHAUST).batch_size(50):
        found.append(order["orderId"])
except PyMongoError as e:
    error, code = repr(e), getattr(e, "code", None)
afterwards = orders.find_one({"customerId": 7, "orderId": 5})["orderId"]
client.close()
print("RESULT " + json.dumps({"found": len(found), "error": error, "code": code, "afterwards": afterwards}))
