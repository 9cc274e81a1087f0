"""PyMongo as an application uses it; see README.md beside this file. Runs on PyMongo 3.11 and later."""
import json
import os
import sys

import pymongo
from pymongo import monitoring
from pymongo.errors import OperationFailure

FIRST, SECOND = os.environ.get("SCATTERGUARD_KEY", "customerId,orderId").split(",")
EXPECT_REFUSAL = os.environ.get("SCATTERGUARD_EXPECT_REFUSAL") != "false"
ORDERS = 320
BATCH_SIZE = 50
CUSTOMER = "pymongo"


class GetMores(monitoring.CommandListener):
    """Counts the getMore commands."""

    count = 0

    def started(self, event):
        self.count += event.command_name == "getMore"

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


class Servers(monitoring.ServerListener):
    """Collects the servers that the driver knows of."""

    def __init__(self):
        self.addresses = set()

    def opened(self, event):
        self.addresses.add("%s:%d" % event.server_address)

    def description_changed(self, event):
        pass

    def closed(self, event):
        pass


def key(order):
    return {FIRST: CUSTOMER, SECOND: order}


def expect(what, actual, expected):
    if actual != expected:
        raise AssertionError("%s: %r (expected: %r)" % (what, actual, expected))


def broadcast(orders):
    try:
        list(orders.find({"status": "open"}).batch_size(BATCH_SIZE))
        return None
    except OperationFailure as error:
        reply = error.details
        return {
            "className": type(error).__name__,
            "code": error.code,
            "codeName": reply.get("codeName"),
            "errmsg": reply.get("errmsg"),
            "labels": reply.get("errorLabels", []),
            "scatterguard": reply.get("scatterguard"),
        }


def run(orders, get_mores):
    orders.delete_many({FIRST: CUSTOMER})
    orders.insert_one(dict(key(0), status="open", total=1))
    many = [dict(key(i), status="paid" if i % 2 else "open", total=i) for i in range(1, ORDERS)]
    inserted = 1 + len(orders.insert_many(many).inserted_ids)
    expect("inserted", inserted, ORDERS)

    found = len(list(orders.find({FIRST: CUSTOMER}).batch_size(BATCH_SIZE)))
    expect("found", found, ORDERS)
    expect("several getMore", get_mores.count >= 3, True)

    pipeline = [{"$match": {FIRST: CUSTOMER}}, {"$group": {"_id": "$status", "n": {"$sum": 1}}}]
    grouped = {group["_id"]: group["n"] for group in orders.aggregate(pipeline)}
    expect("open orders", grouped.get("open"), ORDERS // 2)

    updated = orders.update_one(key(7), {"$set": {"status": "sent"}}).modified_count
    expect("updated", updated, 1)
    deleted = orders.delete_one(key(8)).deleted_count
    expect("deleted", deleted, 1)

    refusal = broadcast(orders)
    expect("refused", refusal is not None, EXPECT_REFUSAL)
    if EXPECT_REFUSAL:
        expect("code", refusal["code"], 61001)
        expect("codeName", refusal["codeName"], "ScatterGatherRefused")
    afterwards = orders.find_one(key(7))["status"]
    expect("status of the updated order", afterwards, "sent")
    return {
        "inserted": inserted,
        "found": found,
        "getMores": get_mores.count,
        "grouped": grouped,
        "updated": updated,
        "deleted": deleted,
        "refusal": refusal,
        "afterwards": afterwards,
    }


def main():
    get_mores = GetMores()
    servers = Servers()
    client = pymongo.MongoClient(
        os.environ["SCATTERGUARD_URI"],
        appname="pymongo",
        maxPoolSize=1,
        serverSelectionTimeoutMS=30000,
        event_listeners=[get_mores, servers],
    )
    try:
        database = client[os.environ.get("SCATTERGUARD_DATABASE", "shop")]
        result = run(database[os.environ.get("SCATTERGUARD_COLLECTION", "orders")], get_mores)
    finally:
        client.close()
    result.update(client="pymongo", version=pymongo.version, servers=sorted(servers.addresses))
    print("RESULT " + json.dumps(result, default=str))


if __name__ == "__main__":
    sys.exit(main())
