package io.scatterguard.proxy.summary;

import java.util.List;

/** The same sums by each of what findings have in common. Not thread-safe. */
final class Dimensions {
    /** Whose and where they are; empty where nobody knows. */
    record Names(String app, String user, String owner, String collection, String rule) {}

    private final Breakdown apps = new Breakdown();
    private final Breakdown users = new Breakdown();
    private final Breakdown owners = new Breakdown();
    private final Breakdown collections = new Breakdown();
    private final Breakdown rules = new Breakdown();

    void add(Names names, Sums sums) {
        apps.add(names.app, sums);
        users.add(names.user, sums);
        owners.add(names.owner, sums);
        collections.add(names.collection, sums);
        rules.add(names.rule, sums);
    }

    /** Of whatever names. */
    void addOther(Sums sums) {
        List.of(apps, users, owners, collections, rules).forEach(one -> one.addOther(sums));
    }

    Summary.Parts parts(int top) {
        return new Summary.Parts(
                apps.ranking(top, Sums.BY_COST),
                users.ranking(top, Sums.BY_COST),
                owners.ranking(top, Sums.BY_COST),
                collections.ranking(top, Sums.BY_COST),
                rules.ranking(top, Sums.BY_REFUSALS));
    }
}
