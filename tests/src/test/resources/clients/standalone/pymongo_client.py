"""Says what it is connected to, and does what a sharded cluster would refuse, by PyMongo; see ../README.md."""
import json
import os

import pymongo
from pymongo.errors import OperationFailure

client = pymongo.MongoClient(os.environ["SCATTERGUARD_URI"], serverSelectionTimeoutMS=10_000)
orders = client.shop.orders
orders.insert_one({"customerId": "pymongo", "orderId": 1, "status": "open"})
private = pymongo.version_tuple[0] < 4
topology = client._topology.description if private else client.topology_description
seen = ", ".join(server.server_type_name for server in topology.server_descriptions().values())
try:
    orders.find_one_and_update({"status": "open"}, {"$set": {"status": "sent"}})
    refusal = None
except OperationFailure as error:
    refusal = {
        "code": error.code,
        "codeName": error.details.get("codeName"),
        "labels": error.details.get("errorLabels", []),
        "wouldFail": error.details.get("scatterguard", {}).get("wouldFail"),
    }
afterwards = orders.find_one({"customerId": "pymongo", "orderId": 1})["status"]
client.close()
print("RESULT " + json.dumps({"server": seen, "refusal": refusal, "afterwards": afterwards}))
