package io.scatterguard.proxy.validation;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.catalog.CatalogException;
import io.scatterguard.proxy.catalog.DatabaseReader;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.DatabaseRule;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.config.ViewRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Checks sharding rules: each by itself, against each other, and against a database. */
public final class RulesCheck {
    /** Views that stand on each other; the server follows no more. */
    private static final int MAX_VIEW_DEPTH = 20;

    private final List<ShardingRule> rules;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<Namespace, ShardingRule> byNamespace = new HashMap<>();

    private RulesCheck(List<ShardingRule> rules) {
        this.rules = rules;
    }

    /** What is wrong with rules that could be read, in the order of the file. */
    public static List<Finding> declared(List<ShardingRule> rules) {
        RulesCheck check = new RulesCheck(rules);
        check.namesOnce();
        for (ShardingRule rule : rules) {
            if (rule instanceof CollectionRule collection) {
                CollectionCheck.check(collection, check.about(collection.namespace()));
            } else if (rule instanceof ViewRule view) {
                check.view(view);
            }
        }
        return List.copyOf(check.findings);
    }

    /**
     * What the database says against the rules. Reads options and indexes of the collections that the rules name, and the
     * fields of their keys in some documents.
     *
     * @param sample how many documents of a collection are looked at; 0 for none
     */
    public static List<Finding> live(List<ShardingRule> rules, DatabaseReader database, int sample) {
        RulesCheck check = new RulesCheck(rules);
        LiveCheck live = new LiveCheck(database, sample);
        for (ShardingRule rule : rules) {
            if (rule instanceof CollectionRule collection) {
                check.read(collection.namespace(), about -> live.collection(collection, about));
            } else if (rule instanceof ViewRule view) {
                check.read(view.namespace(), about -> live.view(view, about));
            }
        }
        return List.copyOf(check.findings);
    }

    /** What could not be read was not checked, and is no reason to leave out the others. */
    private void read(Namespace namespace, Consumer<Findings> check) {
        Findings about = about(namespace);
        try {
            check.accept(about);
        } catch (CatalogException e) {
            about.error("unreadable", "not (wholly) compared: " + e.getMessage(), "");
        }
    }

    private Findings about(Namespace namespace) {
        return new Findings(namespace.fullName(), findings);
    }

    /** A later rule overrides an earlier one; within one file that is hardly meant. */
    private void namesOnce() {
        Map<String, String> primaries = new HashMap<>();
        for (ShardingRule rule : rules) {
            if (rule instanceof DatabaseRule database) {
                String other = primaries.putIfAbsent(database.database(), database.primary());
                if (other != null) {
                    new Findings(database.database(), findings)
                            .error(
                                    "declaredTwice",
                                    "two rules for the database, with primary " + other + " and " + database.primary(),
                                    "keep one");
                }
            } else if (rule instanceof ViewRule view) {
                once(view.namespace(), rule);
            } else if (rule instanceof CollectionRule collection) {
                once(collection.namespace(), rule);
            }
        }
    }

    private void once(Namespace namespace, ShardingRule rule) {
        ShardingRule other = byNamespace.putIfAbsent(namespace, rule);
        if (other != null) {
            about(namespace)
                    .error(
                            "declaredTwice",
                            "two rules, " + kind(other) + " and " + kind(rule) + ", and only the last would count",
                            "keep one");
        }
    }

    private static String kind(ShardingRule rule) {
        return rule instanceof CollectionRule collection
                ? "a collection by " + new KeyPattern(collection.key())
                : "a view";
    }

    private void view(ViewRule view) {
        Set<Namespace> seen = new HashSet<>();
        seen.add(view.namespace());
        Namespace at = view.viewOn();
        while (byNamespace.get(at) instanceof ViewRule below && seen.add(at)) {
            at = below.viewOn();
        }
        if (seen.contains(at)) {
            about(view.namespace())
                    .error("viewCircle", "it leads round in a circle, through " + at, "let viewOn name what it reads");
        } else if (seen.size() > MAX_VIEW_DEPTH) {
            about(view.namespace())
                    .error(
                            "viewDepth",
                            seen.size() + " views stand on each other (expected: up to " + MAX_VIEW_DEPTH + ")",
                            "let viewOn name a collection");
        } else if (!byNamespace.containsKey(at)) {
            about(view.namespace())
                    .note(
                            "viewOnUndeclared",
                            "it reads " + at
                                    + ", for which there is no rule: where no cluster says otherwise, the view is"
                                    + " judged as one on an unsharded collection",
                            "declare " + at + ", or remove the view");
        }
    }
}
