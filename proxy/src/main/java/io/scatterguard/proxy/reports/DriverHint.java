package io.scatterguard.proxy.reports;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How the fix is written with the library that sends the command, where the handshake tells which that is. */
final class DriverHint {
    /**
     * A library.
     *
     * @param mark what is in the name that it gives in its handshake, in small letters
     * @param ofApps whether an application's name tells as well, where no driver is recorded: logs of servers name no drivers
     * @param hint the sentence, by the fields that are missing
     */
    private record Library(String mark, boolean ofApps, Function<List<String>, String> hint) {}

    /** What wraps a driver comes before the driver, whose name is in the wrapper's. */
    private static final List<Library> LIBRARIES = List.of(
            new Library(
                    "spring",
                    true,
                    missing -> "Spring Data: declare the key by @Sharded(shardKey = " + annotation(missing)
                            + ") so that save() sends it, and add " + each(missing, "Criteria.where(\"%s\").is(…)")
                            + " to queries"),
            new Library(
                    "mongoose",
                    true,
                    missing -> "mongoose: set the schema's option shardKey: {" + each(missing, "%s: 1")
                            + "} (with the whole key) so that save() sends it, and add " + each(missing, "%s")
                            + " to the filter of queries"),
            new Library(
                    "pymongo",
                    true,
                    missing -> "PyMongo: add " + each(missing, "\"%s\": …") + " to the filter, a dict"),
            new Library(
                    "mongo-java-driver",
                    false,
                    missing -> "Java driver: Filters.and(" + each(missing, "Filters.eq(\"%s\", …)") + ", …)"),
            new Library(
                    "nodejs",
                    false,
                    missing -> "Node.js driver: add " + each(missing, "\"%s\": …") + " to the filter, an object"),
            new Library(
                    "mongo-go-driver", false, missing -> "Go driver: bson.D{" + each(missing, "{\"%s\", …}") + ", …}"),
            new Library(
                    "mongo-csharp-driver",
                    false,
                    missing -> "C# driver: Builders<T>.Filter.And(" + each(missing, "Builders<T>.Filter.Eq(\"%s\", …)")
                            + ", …)"),
            new Library(
                    "mongo-rust-driver",
                    false,
                    missing -> "Rust driver: doc! { " + each(missing, "\"%s\": …") + ", … }"),
            new Library(
                    "mongo-ruby-driver", false, missing -> "Ruby driver: find(" + each(missing, "'%s' => …") + ", …)"),
            new Library(
                    "php",
                    false,
                    missing -> "PHP library: add " + each(missing, "'%s' => …") + " to the filter, an array"));

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
        List<String> drivers = finding.clients().drivers();
        return LIBRARIES.stream()
                .filter(library -> isIn(library, drivers)
                        || (drivers.isEmpty()
                                && library.ofApps()
                                && isIn(library, finding.clients().apps())))
                .findFirst()
                .map(library -> library.hint().apply(missing));
    }

    private static boolean isIn(Library library, List<String> names) {
        return names.stream().anyMatch(name -> name.toLowerCase(Locale.ROOT).contains(library.mark()));
    }

    private static String each(List<String> fields, String pattern) {
        return fields.stream().map(field -> pattern.replace("%s", field)).collect(Collectors.joining(", "));
    }

    /** A list of strings as Java's annotations take it. */
    private static String annotation(List<String> fields) {
        String list = each(fields, "\"%s\"");
        return fields.size() == 1 ? list : "{" + list + "}";
    }
}
