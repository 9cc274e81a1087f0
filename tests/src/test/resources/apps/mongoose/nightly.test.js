require("./suite");
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Order, aboveTotal } = require("./shop");

test("the nightly report has large orders", async () => {
  await Order.create({ customerId: 4301, orderId: 1, status: "open", total: 990_001 });
  const orders = await aboveTotal(990_001);
  assert.equal(orders.length, 1);
});
