require("./suite");
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Order, withStatus } = require("./shop");

test("returned orders are listed", async () => {
  await Order.create({ customerId: 4201, orderId: 1, status: "returned-4711", total: 1 });
  const orders = await withStatus("returned-4711");
  assert.equal(orders.length, 1);
});
