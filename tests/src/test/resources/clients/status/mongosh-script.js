// Asks the proxy for its status in mongosh; see ../README.md.
(function () {
  const status = db.adminCommand({ scatterguard: 1 });
  let elsewhere = null;
  try {
    db.getSiblingDB("shop").runCommand({ scatterguard: 1 });
  } catch (error) {
    elsewhere = error.code;
  }
  print("RESULT " + EJSON.stringify({ status, elsewhere }));
})();
