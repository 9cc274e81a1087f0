"""A shop on PyMongo."""


class Orders:
    """The orders of a database.

    comment -- gives the comment of each query, or None
    """

    def __init__(self, database, comment=lambda: None):
        self._orders = database.orders
        self._comment = comment

    def place(self, customer_id, order_id, status, total):
        self._orders.insert_one(
            {"customerId": customer_id, "orderId": order_id, "status": status, "total": total}
        )

    def of_customer(self, customer_id):
        found = self._orders.find({"customerId": customer_id}, comment=self._comment())
        return list(found.sort("orderId", 1))

    def pay(self, customer_id, order_id):
        key = {"customerId": customer_id, "orderId": order_id}
        return self._orders.update_one(key, {"$set": {"status": "paid"}}).modified_count

    def total_of(self, customer_id):
        pipeline = [
            {"$match": {"customerId": customer_id}},
            {"$group": {"_id": None, "total": {"$sum": "$total"}}},
        ]
        for group in self._orders.aggregate(pipeline, comment=self._comment()):
            return group["total"]
        return 0

    def with_status(self, status):
        """The planted broadcast: whose orders, the filter does not say."""
        return list(self._orders.find({"status": status}, comment=self._comment()))

    def above_total(self, total):
        """Reads every shard on purpose."""
        comment = "scatterguard:allow=nightly-report " + (self._comment() or "")
        return list(self._orders.find({"total": {"$gte": total}}, comment=comment))
