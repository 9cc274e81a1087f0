package io.scatterguard.proxy.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Whether a collection has the index that a shard key needs: it begins with the fields of the key, is neither sparse nor
 * partial nor hidden, has the simple collation, and no document has an array in any of its fields.
 */
final class SupportingIndexCheck {
    private final Findings findings;
    private final KeyPattern key;
    private final List<IndexFacts> indexes;
    private final Function<String, Optional<Boolean>> multikey;

    /** @param multikey whether the index of this name has an array in any field, empty where that is not known */
    SupportingIndexCheck(
            Findings findings, KeyPattern key, List<IndexFacts> indexes, Function<String, Optional<Boolean>> multikey) {
        this.findings = findings;
        this.key = key;
        this.indexes = indexes;
        this.multikey = multikey;
    }

    /**
     * @param unique whether the key was declared unique
     * @param create the command that makes the index
     * @param empty whether the collection has no document
     */
    void check(boolean unique, String create, boolean empty) {
        if (unique) {
            unique(create, empty);
        }
        List<String> reasons = new ArrayList<>();
        List<IndexFacts> unsure = new ArrayList<>();
        for (IndexFacts index : indexes) {
            if (!key.isPrefixOf(index.key())) {
                nearly(index, reasons);
            } else if (!index.unusable().isEmpty()) {
                reasons.add("index " + index + " is " + String.join(", ", index.unusable()));
            } else {
                Optional<Boolean> arrays = multikey.apply(index.name());
                if (arrays.isPresent() && !arrays.get()) {
                    return;
                }
                if (arrays.isPresent()) {
                    reasons.add("index " + index + " is multikey: a document has an array in one of its fields");
                } else {
                    unsure.add(index);
                }
            }
        }
        if (!unsure.isEmpty()) {
            findings.note(
                    "multikeyUnknown",
                    "index " + unsure.get(0) + " supports the key, unless a document has an array in one of its fields;"
                            + " this server does not tell",
                    "");
        } else {
            missing(reasons, create, empty);
        }
    }

    private void nearly(IndexFacts index, List<String> reasons) {
        if (key.isNamePrefixOf(index.key())) {
            reasons.add("index " + index + " has the fields with another direction or kind");
        }
    }

    private void missing(List<String> reasons, String create, boolean empty) {
        String what = "no index supports the key " + key + (reasons.isEmpty() ? "" : "; " + String.join("; ", reasons));
        if (empty) {
            findings.note("supportingIndex", what + "; shardCollection makes it while the collection is empty", "");
        } else {
            findings.error(
                    "supportingIndex",
                    what + ": the server refuses to shard the collection (InvalidOptions)",
                    "create it: " + create);
        }
    }

    /** A key that is declared unique needs an index of exactly its fields, and that one unique. */
    private void unique(String create, boolean empty) {
        Optional<IndexFacts> exact = indexes.stream()
                .filter(index -> key.isPrefixOf(index.key()) && index.key().isPrefixOf(key))
                .findFirst();
        if (exact.isPresent() && !exact.get().unique() && !key.paths().get(0).equals(UniqueIndexCheck.ID)) {
            findings.error(
                    "uniqueKeyIndex",
                    "the key is declared unique and index " + exact.get() + " is not: the server refuses to shard the"
                            + " collection (InvalidOptions)",
                    "make the index unique, or remove unique from the rule");
        } else if (exact.isEmpty() && !empty) {
            findings.error(
                    "uniqueKeyIndex",
                    "the key is declared unique and no unique index has exactly its fields: the server refuses to shard"
                            + " the collection (InvalidOptions)",
                    "create it: " + create + ", or remove unique from the rule");
        }
    }
}
