from suite import ShopTest


class SearchTest(ShopTest):
    def test_returned_orders_are_listed(self):
        self.orders.place(4201, 1, "returned-4711", 1)
        self.assertEqual(1, len(self.orders.with_status("returned-4711")))
