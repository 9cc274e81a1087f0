"""What all suites of the shop share: the connection, and whose test a query is of."""
import os
import unittest

from pymongo import MongoClient

from shop import Orders


class ShopTest(unittest.TestCase):
    def setUp(self):
        client = MongoClient(os.environ["MONGODB_URI"], appname="shop-pymongo")
        self.addCleanup(client.close)
        self.orders = Orders(client.shop, comment=lambda: "test:" + self.id())
