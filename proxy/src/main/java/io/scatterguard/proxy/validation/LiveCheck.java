package io.scatterguard.proxy.validation;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.DatabaseReader;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.ViewRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Checks one rule after the other against a database. */
final class LiveCheck {
    private static final String VIEW = "view";
    private static final String TIMESERIES = "timeseries";

    private final DatabaseReader database;
    private final int sample;

    /** @param sample how many documents of a collection are looked at; 0 for none */
    LiveCheck(DatabaseReader database, int sample) {
        this.database = database;
        this.sample = sample;
    }

    void view(ViewRule rule, Findings findings) {
        Optional<BsonDocument> listed = listed(rule.namespace(), findings);
        if (listed.isEmpty()) {
            return;
        }
        BsonDocument options = OptionsCheck.options(listed.get());
        if (!type(listed.get()).equals(VIEW)) {
            findings.error(
                    "type", "the rule says view and the database has a " + type(listed.get()), "remove the rule");
        } else if (!new BsonString(rule.viewOn().collection()).equals(options.get("viewOn"))
                || !new BsonArray(List.copyOf(rule.pipeline())).equals(options.get("pipeline"))) {
            findings.error(
                    "viewDefinition",
                    "the view in the database reads something else, or with another pipeline",
                    "write the rule anew from what listCollections shows");
        }
    }

    void collection(CollectionRule rule, Findings findings) {
        Optional<BsonDocument> listed = listed(rule.namespace(), findings);
        if (listed.isEmpty()) {
            return;
        }
        String type = type(listed.get());
        String expected = rule.timeseries() == null ? "collection" : TIMESERIES;
        if (!type.equals(expected)) {
            findings.error(
                    "type",
                    "the rule is one of a " + expected + " and the database has a " + type,
                    type.equals(VIEW)
                            ? "views cannot be sharded: declare the collection, and the view with viewOn"
                            : "declare its timeseries options as they are, or none");
            return;
        }
        new OptionsCheck(rule, findings).check(OptionsCheck.options(listed.get()));
        if (CollectionCheck.isSharded(rule)) {
            sharded(rule, findings);
            if (rule.timeseries() == null) {
                indexes(rule, findings, OptionsCheck.options(listed.get()));
            }
            sample(rule, findings);
        }
    }

    private Optional<BsonDocument> listed(Namespace namespace, Findings findings) {
        Optional<BsonDocument> listed = database.listed(namespace);
        if (listed.isEmpty()) {
            findings.warning(
                    "absent",
                    "the database has no collection or view of this name, so nothing was compared",
                    "check its spelling");
        }
        return listed;
    }

    private static String type(BsonDocument listed) {
        return listed.getString("type", new BsonString("collection")).getValue();
    }

    private void sharded(CollectionRule rule, Findings findings) {
        Optional<BsonValue> key = database.sharded(rule.namespace())
                .filter(collection -> !collection.containsKey("dropped") && !collection.containsKey("unsplittable"))
                .map(collection -> collection.get("key"));
        if (key.isPresent() && key.get().isDocument()) {
            KeyPattern actual = new KeyPattern(key.get().asDocument());
            KeyPattern declared = new KeyPattern(rule.key());
            if (!declared.isPrefixOf(actual) || !actual.isPrefixOf(declared)) {
                findings.warning(
                        "shardedOtherwise",
                        "the collection is sharded already, by " + actual + "; the rule's " + declared
                                + " overrides that",
                        "remove the rule unless it is meant as a try");
            }
        }
    }

    private void indexes(CollectionRule rule, Findings findings, BsonDocument options) {
        KeyPattern key = new KeyPattern(rule.key());
        List<IndexFacts> indexes = database.indexes(rule.namespace()).stream()
                .map(IndexFacts::of)
                .filter(index -> !index.key().paths().isEmpty())
                .toList();
        UniqueIndexCheck unique = new UniqueIndexCheck(findings, key);
        indexes.stream().filter(IndexFacts::unique).forEach(index -> unique.check(index.name(), index.key()));
        for (BsonDocument declared : rule.uniqueIndexes()) {
            KeyPattern index = new KeyPattern(declared);
            if (indexes.stream().noneMatch(other -> other.unique() && isSame(index, other.key()))) {
                findings.warning(
                        "uniqueIndexAbsent",
                        "the rule declares a unique index " + index + " and the collection has none",
                        "create it, or remove it from uniqueIndexes");
            }
        }
        boolean simple = new CollationSpec(OptionsCheck.collation(options)).isSimple();
        String create = "db.getSiblingDB(\"" + rule.namespace().database() + "\").getCollection(\""
                + rule.namespace().collection() + "\").createIndex(" + key
                + createOptions(rule.unique(), simple) + ")";
        new SupportingIndexCheck(findings, key, indexes, name -> database.isMultikey(rule.namespace(), name))
                .check(rule.unique(), create, database.isEmpty(rule.namespace()));
    }

    private static String createOptions(boolean unique, boolean simple) {
        List<String> options = new ArrayList<>();
        if (unique) {
            options.add("unique: true");
        }
        if (!simple) {
            options.add("collation: {locale: \"simple\"}");
        }
        return options.isEmpty() ? "" : ", {" + String.join(", ", options) + "}";
    }

    private static boolean isSame(KeyPattern one, KeyPattern other) {
        return one.isPrefixOf(other) && other.isPrefixOf(one);
    }

    private void sample(CollectionRule rule, Findings findings) {
        if (sample > 0) {
            List<String> paths = List.copyOf(rule.key().keySet());
            KeySample seen = new KeySample(paths);
            database.sample(rule.namespace(), paths, sample, seen);
            seen.report(findings);
        }
    }
}
