// What all suites of the shop share: the connection, and whose test a query is of.
const { before, beforeEach, after } = require("node:test");
const mongoose = require("mongoose");

let running = null;
const tag = () => `test:${running}`;

// Before any model is made. A comment that says something else stays, with the test's name added.
mongoose.plugin((schema) => {
  schema.pre(["find", "findOne", "countDocuments", "updateOne", "updateMany", "deleteMany"], function () {
    const { comment } = this.getOptions();
    this.setOptions({ comment: comment ? `${comment} ${tag()}` : tag() });
  });
  schema.pre("aggregate", function () {
    this.option({ comment: tag() });
  });
});

before(() => mongoose.connect(process.env.MONGODB_URI, { dbName: "shop", appName: "shop-mongoose" }));
beforeEach((test) => {
  running = test.name.replaceAll(/[^\w.:/#$-]+/g, "-");
});
after(() => mongoose.disconnect());
