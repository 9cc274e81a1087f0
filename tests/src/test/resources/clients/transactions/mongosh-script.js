// Transactions in which a statement is refused, as a person runs them in mongosh; see README.md one folder up.
(function () {
  const ROUNDS = 100; // mongosh needs several times as long for each as a driver.
  const session = db.getMongo().startSession();
  const orders = session.getDatabase("shop").getCollection("orders");
  const order = (orderId) => ({ customerId: 7, orderId });
  const broadcast = () => orders.updateMany({ status: "open" }, { $set: { status: "sent" } });
  let transient = 0;

  function codeOf(work) {
    try {
      work();
      return 0;
    } catch (error) {
      transient += (error.errorLabels ?? []).includes("TransientTransactionError") ? 1 : 0;
      return error.code ?? -1;
    }
  }

  function withTransaction(end) {
    let attempts = 0;
    const code = codeOf(() =>
      session.withTransaction(() => {
        attempts++;
        orders.insertOne(order(attempts));
        end();
      }),
    );
    return { attempts, code };
  }

  const counts = { refused: 0, late: 0, notCommitted: 0 };
  for (let number = 1; number <= ROUNDS; number++) {
    session.startTransaction();
    orders.insertOne(order(number));
    counts.refused += codeOf(broadcast) === 61001 ? 1 : 0;
    counts.late += codeOf(() => orders.insertOne(order(-number))) === 251 ? 1 : 0;
    counts.notCommitted += codeOf(() => session.commitTransaction()) === 251 ? 1 : 0;
  }
  const thrown = withTransaction(broadcast);
  const caught = withTransaction(() => codeOf(broadcast));
  session.startTransaction();
  orders.insertOne(order(0));
  session.commitTransaction();
  session.endSession();
  console.log("RESULT " + JSON.stringify({ ...counts, transient, thrown, caught }));
})();
