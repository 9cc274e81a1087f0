package io.scatterguard.proxy.reports;

import java.time.Instant;
import java.util.List;

/** Findings that have everything, one kind each, and such as nobody wants. */
final class SampleFindings {
    static final String ID = "c47ff0e7c7f1727c";
    static final String KNOWN = "00000000000000aa";

    private SampleFindings() {}

    static Finding full() {
        return new Finding(
                ID,
                false,
                Finding.Kind.SCATTER_GATHER,
                new Finding.Subject("shop.orders", "find", "find {filter: {userId: ?number}}"),
                new Finding.KeyUse(
                        "{region: 1, userId: 1}",
                        List.of(new Finding.KeyField("region", null), new Finding.KeyField("userId", "point"))),
                new Finding.Reach(3, 4, false),
                new Finding.Cause(
                        "The first field is missing.",
                        "add a predicate on \"region\"",
                        "filter: {region: <value>, userId: ?number}",
                        List.of("note"),
                        "rule",
                        "reason"),
                new Finding.Seen(
                        2,
                        1,
                        500_000,
                        1_500_000,
                        Instant.parse("2026-12-01T10:00:00Z"),
                        Instant.parse("2026-12-02T10:00:00Z")),
                new Finding.Clients(List.of("checkout"), List.of("PyMongo 4"), List.of("T#t"), List.of("/orders/{id}")),
                "shop-team");
    }

    /** In the baseline, without anything that may be left out. */
    static Finding bare() {
        return new Finding(
                KNOWN,
                true,
                Finding.Kind.OTHER,
                new Finding.Subject("shop.carts", "count", "count {}"),
                null,
                new Finding.Reach(-1, -1, false),
                new Finding.Cause("", "", "", List.of(), null, null),
                new Finding.Seen(1, 0, 0, 0, null, null),
                new Finding.Clients(List.of(), List.of(), List.of()),
                "unowned");
    }

    static Findings both() {
        return new Findings(List.of(full(), bare()), new Findings.Totals(7, 3, 0));
    }

    static Findings none() {
        return new Findings(List.of(), new Findings.Totals(7, 0, 0));
    }
}
