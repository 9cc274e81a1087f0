package io.scatterguard.proxy.validation;

import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.TimeseriesRule;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Compares a rule with the options that a collection was created with. */
final class OptionsCheck {
    private final CollectionRule rule;
    private final Findings findings;

    OptionsCheck(CollectionRule rule, Findings findings) {
        this.rule = rule;
        this.findings = findings;
    }

    static BsonDocument options(BsonDocument listed) {
        return listed.isDocument("options") ? listed.getDocument("options") : new BsonDocument();
    }

    /** Null for simple. */
    static @Nullable BsonDocument collation(BsonDocument options) {
        return options.isDocument("collation") ? options.getDocument("collation") : null;
    }

    void check(BsonDocument options) {
        collations(options);
        if (CollectionCheck.isSharded(rule)) {
            if (BsonBoolean.TRUE.equals(options.get("capped"))) {
                findings.error(
                        "capped",
                        "the collection is capped, and capped collections cannot be sharded",
                        "remove the rule");
            }
            encrypted(options);
        }
        if (rule.timeseries() != null && options.isDocument("timeseries")) {
            timeseries(rule.timeseries(), options.getDocument("timeseries"));
        }
    }

    private void collations(BsonDocument options) {
        CollationSpec actual = new CollationSpec(collation(options));
        CollationSpec declared = new CollationSpec(rule.collation());
        if (!actual.equals(declared)) {
            findings.error(
                    "collation",
                    "the collection's collation is " + actual + " and the rule says " + declared
                            + ": strings would be compared differently, and verdicts would be wrong",
                    actual.isSimple() ? "remove collation from the rule" : "declare it as listCollections shows it");
        }
        if (!actual.isSimple() && CollectionCheck.isSharded(rule)) {
            findings.note(
                    "collationOfCommand",
                    "a collection with a collation is sharded by the simple one",
                    "give shardCollection collation: {locale: \"simple\"}");
        }
    }

    /** Queryable encryption: neither an encrypted field, nor one above it, nor one within it. */
    private void encrypted(BsonDocument options) {
        BsonDocument encrypted =
                options.isDocument("encryptedFields") ? options.getDocument("encryptedFields") : new BsonDocument();
        for (BsonValue field : encrypted.getArray("fields", new BsonArray())) {
            String path = field.isDocument()
                    ? field.asDocument().getString("path", new BsonString("")).getValue()
                    : "";
            for (String key : rule.key().keySet()) {
                if (key.equals(path) || path.startsWith(key + ".") || key.startsWith(path + ".")) {
                    findings.error(
                            "encryptedKey",
                            "the field " + key + " of the key is encrypted, holds the encrypted " + path
                                    + ", or lies in it: the server refuses it (InvalidOptions)",
                            "choose another field");
                }
            }
        }
    }

    private void timeseries(TimeseriesRule declared, BsonDocument actual) {
        String time = text(actual, "timeField");
        String meta = text(actual, "metaField");
        if (!declared.timeField().equals(time) || !Objects.equals(declared.metaField(), meta)) {
            findings.error(
                    "timeseriesFields",
                    "the collection has timeField " + time + " and "
                            + (meta == null ? "no metaField" : "metaField " + meta)
                            + ", and the rule says otherwise: verdicts would be wrong",
                    "declare them as listCollections shows them");
        }
    }

    private static @Nullable String text(BsonDocument document, String name) {
        return document.isString(name) ? document.getString(name).getValue() : null;
    }
}
