"""Asks the proxy for its status by PyMongo; see ../README.md. Runs on PyMongo 3.11 and later."""
import json
import os

import pymongo
from pymongo.errors import OperationFailure

client = pymongo.MongoClient(os.environ["SCATTERGUARD_URI"], serverSelectionTimeoutMS=10_000)
status = client.admin.command({"scatterguard": 1})
try:
    client.shop.command({"scatterguard": 1})
    elsewhere = None
except OperationFailure as error:
    elsewhere = error.code
client.close()
print("RESULT " + json.dumps({"status": status, "elsewhere": elsewhere}))
