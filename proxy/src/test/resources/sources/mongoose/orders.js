'use strict';
const mongoose = require('mongoose');
const { Schema } = mongoose;

// new Schema({}, { shardKey: { commented: 1 } })
const slashes = /['"`{]/g, half = 10 / 2;
const orderSchema = new Schema({
  customer: { type: Schema.Types.ObjectId, required: [true, 'not {valid}'] },
  total: { type: Number, get: (v) => `${v} {€}`, min: 0 },
}, {
  timestamps: true,
  shardKey: { customer: 1, 'address.country': 1 }, // trailing
});

orderSchema.index({ customer: 1 });
module.exports = mongoose.model('Order', orderSchema);

const visits = mongoose.Schema({ user: String }, { shardKey: { user: 'hashed' }, collection: 'visit_log' });
mongoose.model('Visit', visits);

mongoose.model('Person', new mongoose.Schema({ name: String }, { shardKey: { name: 1 } }), 'folk');
mongoose.model('Category', new mongoose.Schema({ name: String }, { shardKey: { name: 1 } }));

const later = new Schema({ a: Number });
later.set('shardKey', { a: 1 });
mongoose.model('Mouse', later);

const orphan = new Schema({ a: Number }, { shardKey: { a: 1 } });
const computed = new Schema({ a: Number }, { shardKey: { [field]: 1 } });
mongoose.model('Computed', computed);
const down = new Schema({ a: Number }, { shardKey: { a: -1 } });
mongoose.model('Down', down);
