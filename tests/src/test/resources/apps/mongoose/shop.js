// A shop on mongoose.
const mongoose = require("mongoose");

const orderSchema = new mongoose.Schema(
  {
    customerId: { type: Number, required: true },
    orderId: { type: Number, required: true },
    status: String,
    total: Number,
  },
  // So that save() and deleteOne() of a document send the shard key.
  { shardKey: { customerId: 1, orderId: 1 }, collection: "orders", autoIndex: false, autoCreate: false },
);

const Order = mongoose.model("Order", orderSchema);

const ofCustomer = (customerId) => Order.find({ customerId }).sort({ orderId: 1 });

const pay = (customerId, orderId) => Order.updateOne({ customerId, orderId }, { $set: { status: "paid" } });

const totalOf = async (customerId) => {
  const [sum] = await Order.aggregate([
    { $match: { customerId } },
    { $group: { _id: null, total: { $sum: "$total" } } },
  ]);
  return sum?.total ?? 0;
};

// The planted broadcast: whose orders, the filter does not say.
const withStatus = (status) => Order.find({ status });

// Reads every shard on purpose.
const aboveTotal = (total) => Order.find({ total: { $gte: total } }).comment("scatterguard:allow=nightly-report");

module.exports = { Order, ofCustomer, pay, totalOf, withStatus, aboveTotal };
