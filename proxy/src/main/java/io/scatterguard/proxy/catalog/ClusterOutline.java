package io.scatterguard.proxy.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * What a sweep found besides collections.
 *
 * @param registered the ids in {@code config.shards}
 * @param primaries the ordinal of each database's primary
 * @param brokenDatabases those whose primary could not be understood
 * @param views of the databases that were read
 * @param problems in all of this
 */
record ClusterOutline(
        List<String> registered,
        Map<String, Integer> primaries,
        List<String> brokenDatabases,
        ViewResolver.Resolved views,
        ClusterParameters clusterParameters,
        List<CatalogProblem> problems,
        @Nullable ObjectId clusterId) {
    static final ClusterOutline NONE = new ClusterOutline(
            List.of(), Map.of(), List.of(), ViewResolver.Resolved.NONE, ClusterParameters.DEFAULT, List.of(), null);

    ClusterOutline {
        registered = List.copyOf(registered);
        primaries = Map.copyOf(primaries);
        brokenDatabases = List.copyOf(brokenDatabases);
        problems = List.copyOf(problems);
    }

    ClusterOutline withRegistered(List<String> ids) {
        return new ClusterOutline(ids, primaries, brokenDatabases, views, clusterParameters, problems, clusterId);
    }

    ClusterOutline withViews(ViewResolver.Resolved newer) {
        return new ClusterOutline(
                registered, primaries, brokenDatabases, newer, clusterParameters, problems, clusterId);
    }

    /**
     * This, with another primary of one database.
     *
     * @param primary null where there is no such database, or its primary could not be understood
     * @param broken whether the latter
     */
    ClusterOutline withDatabase(String name, @Nullable Integer primary, boolean broken) {
        Map<String, Integer> newPrimaries = new HashMap<>(primaries);
        List<String> newBroken = new ArrayList<>(brokenDatabases);
        newPrimaries.remove(name);
        newBroken.remove(name);
        if (primary != null) {
            newPrimaries.put(name, primary);
        }
        if (broken) {
            newBroken.add(name);
        }
        return new ClusterOutline(registered, newPrimaries, newBroken, views, clusterParameters, problems, clusterId);
    }

    /** Whether both have the same databases and views. */
    boolean hasSameNames(ClusterOutline other) {
        return views.equals(other.views)
                && primaries.keySet().equals(other.primaries().keySet());
    }
}
