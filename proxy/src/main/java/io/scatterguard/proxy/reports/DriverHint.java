package io.scatterguard.proxy.reports;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** How the fix is written with the library that sends the command, where the handshake tells which that is. */
final class DriverHint {
    private DriverHint() {}

    /** A sentence; none where no library is known, or no field of a key is missing. */
    static Optional<String> of(Finding finding) {
        List<String> missing = finding.key() == null
                ? List.of()
                : finding.key().fields().stream()
                        .filter(field -> field.by() == null)
                        .map(Finding.KeyField::name)
                        .toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        Predicate<String> driver = name -> finding.clients().drivers().stream()
                .anyMatch(one -> one.toLowerCase(Locale.ROOT).contains(name));
        String field = missing.get(0);
        if (driver.test("spring")) {
            return Optional.of("Spring Data: declare the key by @Sharded(shardKey = " + quoted(missing)
                    + ") so that save() sends it, and add Criteria.where(\"" + field + "\") to queries");
        }
        if (driver.test("mongoose")) {
            return Optional.of("mongoose: set the schema's shardKey option so that save() sends it, and add " + field
                    + " to the filter of queries");
        }
        if (driver.test("pymongo")) {
            return Optional.of("PyMongo: add \"" + field + "\" to the filter document");
        }
        return Optional.empty();
    }

    private static String quoted(List<String> fields) {
        String list = "\"" + String.join("\", \"", fields) + "\"";
        return fields.size() == 1 ? list : "{" + list + "}";
    }
}
