package io.scatterguard.proxy.catalog;

import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.CollectionRule;
import io.scatterguard.proxy.config.DatabaseRule;
import io.scatterguard.proxy.config.ShardingRule;
import io.scatterguard.proxy.config.ViewRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What sharding rules declare, laid over what is known of a cluster, or standing alone where there is none: a table, a view or a
 * primary that is declared counts, whatever the cluster says of it, and before anything of it is known; everything else stays. Pure, and thread-safe: the tables
 * are made once for each set of shards and are the same objects in every snapshot after that.
 */
public final class DeclaredCatalog implements UnaryOperator<CatalogSnapshot> {
    private final Map<String, ShardingRule> rules = new LinkedHashMap<>();
    private final DeclaredLayout layout;
    private final DeclaredViews views;
    private volatile @Nullable Made lastMade;

    /** What was made for the shards of a cluster; {@code primaries} are only those that are declared. */
    private record Made(
            ShardRegistry cluster,
            boolean complete,
            ShardRegistry registry,
            Map<Namespace, RoutingTable> tables,
            Map<String, Integer> primaries) {}

    /** @param declared of two rules about the same, the later one counts */
    public DeclaredCatalog(List<ShardingRule> declared, DeclaredLayout layout) {
        this.layout = layout;
        declared.forEach(rule -> rules.put(rule.subject(), rule));
        this.views = new DeclaredViews(of(ViewRule.class));
    }

    private <T extends ShardingRule> List<T> of(Class<T> kind) {
        return rules.values().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Declared views that cannot be followed: they stand on each other in a circle, or are too many. */
    public List<CatalogProblem> problems() {
        return views.resolved().problems();
    }

    /**
     * The rules over {@code cluster}. Over one that is not loaded yet the tables have shards that stand in for its own, none of
     * which is registered, so that nothing is said of what is not declared.
     */
    @Override
    public CatalogSnapshot apply(CatalogSnapshot cluster) {
        if (rules.isEmpty()) {
            return cluster;
        }
        Made made = made(cluster.registry(), cluster.complete());
        Set<Namespace> declared = declared();
        Map<Namespace, RoutingTable> tables = new HashMap<>(cluster.tables());
        Map<Namespace, ResolvedView> allViews = new HashMap<>(cluster.views());
        Set<Namespace> unknown = new HashSet<>(cluster.unknown());
        tables.keySet().removeAll(declared);
        allViews.keySet().removeAll(declared);
        unknown.removeAll(declared);
        tables.putAll(made.tables());
        Map<Namespace, ResolvedView> declaredViews = views.over(allViews);
        allViews.putAll(declaredViews);
        unknown.addAll(views.resolved().broken());
        Map<Namespace, CollectionInfo> tracked = new HashMap<>(cluster.tracked());
        tracked.keySet().removeAll(declared);
        Map<String, Integer> primaries = new HashMap<>(cluster.primaries());
        primaries.putAll(made.primaries());
        return new CatalogSnapshot(
                cluster.loadedAt(),
                cluster.complete(),
                made.registry(),
                primaries,
                tables,
                unknown,
                allViews,
                cluster.clusterParameters(),
                tracked,
                cluster.uses().overlaid(declared, declaredViews.values()));
    }

    /** Every namespace that the rules decide about, with those of buckets. */
    private Set<Namespace> declared() {
        Set<Namespace> declared = new HashSet<>();
        of(ViewRule.class).forEach(rule -> declared.add(rule.namespace()));
        for (CollectionRule rule : of(CollectionRule.class)) {
            declared.add(rule.namespace());
            if (rule.timeseries() != null) {
                declared.add(DeclaredTables.buckets(rule.namespace()));
            }
        }
        return declared;
    }

    private Made made(ShardRegistry cluster, boolean complete) {
        Made made = lastMade;
        if (made == null || made.complete() != complete || !made.cluster().equals(cluster)) {
            made = make(cluster, complete);
            lastMade = made;
        }
        return made;
    }

    private Made make(ShardRegistry cluster, boolean complete) {
        List<String> registered = cluster.names(cluster.registered());
        boolean alone = complete && registered.isEmpty();
        ShardNames names = ShardNames.of(registered, rules.values());
        ShardOrdinals ordinals = new ShardOrdinals(cluster);
        names.ids().forEach(ordinals::ordinal);
        DeclaredTables maker = new DeclaredTables(names, ordinals, layout);
        Map<Namespace, RoutingTable> tables = new HashMap<>();
        of(CollectionRule.class).forEach(rule -> tables.put(maker.tracked(rule), maker.table(rule)));
        Map<String, Integer> primaries = new HashMap<>();
        if (alone) {
            primaries.put(
                    CatalogSnapshot.ANY_DATABASE, ordinals.ordinal(names.ids().get(0)));
        }
        of(DatabaseRule.class).forEach(rule -> primaries.put(rule.database(), ordinals.ordinal(rule.primary())));
        // A cluster has the shards that it has, or is declared to have: others would count for the broadcasts of
        // collections that nobody declared.
        ShardRegistry registry = ordinals.registry(alone ? standingAlone(names) : registered);
        return new Made(cluster, complete, registry, Map.copyOf(tables), primaries);
    }

    private List<String> standingAlone(ShardNames names) {
        List<String> known = ShardNames.declared(rules.values());
        return known.isEmpty() ? names.ids() : known;
    }

    /** The namespace under which a snapshot of this class has the table of {@code rule}. */
    public static Namespace tracked(CollectionRule rule, CatalogSnapshot snapshot) {
        boolean inBuckets = rule.timeseries() != null && snapshot.table(rule.namespace()) == null;
        return inBuckets ? DeclaredTables.buckets(rule.namespace()) : rule.namespace();
    }

    /** What of the rules contradicts {@code cluster}, one sentence each: nothing of it is an error. */
    public List<String> differences(CatalogSnapshot cluster) {
        List<String> differences = new ArrayList<>();
        List<String> registered = cluster.registry().names(cluster.registry().registered());
        for (ShardingRule rule : rules.values()) {
            String said = said(rule, cluster);
            if (said != null) {
                differences.add(rule.subject() + ": " + said);
            }
            ShardNames.named(rule).stream()
                    .filter(id -> !registered.isEmpty() && !registered.contains(id))
                    .forEach(id -> differences.add(
                            rule.subject() + ": names shard " + id + ", which the cluster does not have"));
        }
        return differences;
    }

    private static @Nullable String said(ShardingRule rule, CatalogSnapshot cluster) {
        if (rule instanceof CollectionRule collection) {
            CollectionInfo info = cluster.collection(collection.namespace());
            info = info == null ? cluster.collection(DeclaredTables.buckets(collection.namespace())) : info;
            return info == null
                    ? null
                    : "judged by the declared key " + ShardKey.of(collection.key()) + ", not by the cluster's "
                            + info.shardKey();
        } else if (rule instanceof ViewRule view) {
            ResolvedView other = cluster.view(view.namespace());
            CollectionInfo info = cluster.collection(view.namespace());
            return other == null && info == null
                    ? null
                    : "judged as the declared view on " + view.viewOn() + ", not as the cluster's "
                            + (info == null ? "view" : "collection with the key " + info.shardKey());
        }
        if (!(rule instanceof DatabaseRule database)) {
            return null; // The shards that a cluster has count, not those that are declared.
        }
        int primary = cluster.primary(database.database());
        String id = primary < 0 ? database.primary() : cluster.registry().ids().get(primary);
        return id.equals(database.primary())
                ? null
                : "the declared primary is " + database.primary() + ", not the cluster's " + id;
    }
}
