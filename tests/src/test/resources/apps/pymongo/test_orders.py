from suite import ShopTest


class OrdersTest(ShopTest):
    def test_orders_of_a_customer_come_in_their_order(self):
        self.orders.place(4101, 2, "open", 20)
        self.orders.place(4101, 1, "open", 10)
        self.assertEqual([1, 2], [order["orderId"] for order in self.orders.of_customer(4101)])
        self.assertEqual(30, self.orders.total_of(4101))

    def test_an_order_is_paid_once(self):
        self.orders.place(4102, 1, "open", 5)
        self.assertEqual(1, self.orders.pay(4102, 1))
        self.assertEqual(0, self.orders.pay(4102, 1))
