from suite import ShopTest


class NightlyTest(ShopTest):
    def test_the_nightly_report_has_large_orders(self):
        self.orders.place(4301, 1, "open", 990_001)
        self.assertEqual(1, len(self.orders.above_total(990_001)))
