"""Transactions in which a statement is refused, by PyMongo; see README.md one folder up. Runs on PyMongo 3.11 and later."""
import json
import os

import pymongo
from pymongo.errors import PyMongoError

ROUNDS = 1000
transient = 0


def order(number):
    return {"customerId": 7, "orderId": number}


def code_of(work):
    """The code of the error that `work` ends with; 0 if it ends well."""
    global transient
    try:
        work()
        return 0
    except PyMongoError as error:
        transient += error.has_error_label("TransientTransactionError")
        return getattr(error, "code", None) or -1


def broadcast(orders, session):
    orders.update_many({"status": "open"}, {"$set": {"status": "sent"}}, session=session)


def one_round(orders, session, number, counts):
    session.start_transaction()
    orders.insert_one(order(number), session=session)
    counts["refused"] += code_of(lambda: broadcast(orders, session)) == 61001
    counts["late"] += code_of(lambda: orders.insert_one(order(-number), session=session)) == 251
    counts["notCommitted"] += code_of(session.commit_transaction) == 251


def with_transaction(orders, session, catch):
    attempts = []

    def callback(inner):
        attempts.append(1)
        orders.insert_one(order(len(attempts)), session=inner)
        if catch:
            code_of(lambda: broadcast(orders, inner))
        else:
            broadcast(orders, inner)

    code = code_of(lambda: session.with_transaction(callback))
    return {"attempts": len(attempts), "code": code}


def main():
    client = pymongo.MongoClient(os.environ["SCATTERGUARD_URI"], appname="pymongo-transactions")
    orders = client.shop.orders
    counts = {"refused": 0, "late": 0, "notCommitted": 0}
    with client.start_session() as session:
        for number in range(1, ROUNDS + 1):
            one_round(orders, session, number, counts)
        thrown = with_transaction(orders, session, False)
        caught = with_transaction(orders, session, True)
        session.with_transaction(lambda inner: orders.insert_one(order(0), session=inner))
    client.close()
    print("RESULT " + json.dumps(dict(counts, transient=transient, thrown=thrown, caught=caught)))


main()
