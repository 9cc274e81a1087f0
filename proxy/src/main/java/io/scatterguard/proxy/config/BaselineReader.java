package io.scatterguard.proxy.config;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the known shapes of a policy, from the configuration and from its file. */
final class BaselineReader {
    static final String KEY = "baseline";

    private BaselineReader() {}

    /** The known shapes of the section {@code policy}: those of its file first, then its own. */
    static List<BaselineEntry> ofPolicy(Section policy) {
        List<BaselineEntry> entries = new ArrayList<>();
        policy.file("baselineFile").ifPresent(file -> entries.addAll(ofFile(policy, file)));
        entries.addAll(of(policy));
        return entries;
    }

    private static List<BaselineEntry> ofFile(Section policy, Path file) {
        try {
            return BaselineFile.read(file);
        } catch (ConfigException e) {
            policy.problem("baselineFile", e.getMessage() + " (expected: a baseline)");
            return List.of();
        }
    }

    /** Those in its list. */
    static List<BaselineEntry> of(Section policy) {
        List<BaselineEntry> entries = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Section section : policy.children(KEY)) {
            entry(section).ifPresent(entry -> {
                entries.add(entry);
                if (!ids.add(entry.id())) {
                    section.problem("id", Quoting.quoted(entry.id()) + " is there twice (expected: once)");
                }
            });
        }
        return entries;
    }

    private static Optional<BaselineEntry> entry(Section section) {
        boolean given = section.require("id", BaselineEntry.ID_EXPECTED);
        Optional<String> id = section.text("id", BaselineEntry.ID_EXPECTED, BaselineEntry.ID.asMatchPredicate());
        Optional<String> namespace = section.text("namespace");
        Optional<String> shape = section.text("shape");
        Optional<Long> count = section.value("count", "how often it was seen", Long::valueOf);
        Optional<LocalDate> lastSeen = section.value("lastSeen", "a date like 2027-03-31", LocalDate::parse);
        Optional<String> owner = section.text("owner");
        Optional<LocalDate> until = section.value("until", PolicyReader.UNTIL, LocalDate::parse);
        if (!given || id.isEmpty()) {
            return Optional.empty();
        }
        return section.build(() -> new BaselineEntry(
                id.get(),
                namespace.orElse(null),
                shape.orElse(null),
                count.orElse(0L),
                lastSeen.orElse(null),
                owner.orElse(null),
                until.orElse(null)));
    }
}
