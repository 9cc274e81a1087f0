"""An exhaust cursor of PyMongo; see README.md beside this file. PyMongo 3.11 asks for it by OP_QUERY."""
import json
import os

import pymongo
from pymongo.cursor import CursorType

ORDERS = 320

client = pymongo.MongoClient(os.environ["SCATTERGUARD_URI"], appname="pymongo-exhaust", maxPoolSize=1)
orders = client["shop"]["orders"]
orders.insert_many([{"_id": i, "customerId": 7, "orderId": i} for i in range(ORDERS)])
found = [order["orderId"] for order in orders.find({"customerId": 7}, cursor_type=CursorType.EXHAUST).batch_size(50)]
in_order = found == list(range(ORDERS))
afterwards = orders.find_one({"customerId": 7, "orderId": 5})["orderId"]
client.close()
print("RESULT " + json.dumps({"found": len(found), "inOrder": in_order, "afterwards": afterwards}))
