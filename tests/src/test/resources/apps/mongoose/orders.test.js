require("./suite");
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Order, ofCustomer, pay, totalOf } = require("./shop");

test("orders of a customer come in their order", async () => {
  await Order.create([
    { customerId: 4101, orderId: 2, status: "open", total: 20 },
    { customerId: 4101, orderId: 1, status: "open", total: 10 },
  ]);
  const orders = await ofCustomer(4101);
  assert.deepEqual(orders.map((order) => order.orderId), [1, 2]);
  assert.equal(await totalOf(4101), 30);
});

test("an order is paid once", async () => {
  await Order.create({ customerId: 4102, orderId: 1, status: "open", total: 5 });
  assert.equal((await pay(4102, 1)).modifiedCount, 1);
  assert.equal((await pay(4102, 1)).modifiedCount, 0);
});

test("a saved order is found by its key", async () => {
  const order = await Order.create({ customerId: 4103, orderId: 1, status: "open", total: 5 });
  order.status = "shipped";
  await order.save();
  assert.equal((await ofCustomer(4103))[0].status, "shipped");
  await order.deleteOne();
  assert.equal((await ofCustomer(4103)).length, 0);
});
