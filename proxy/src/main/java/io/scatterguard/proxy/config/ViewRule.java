package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.Namespace;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A declared view, for where views cannot be read.
 *
 * @param namespace its name, {@code db.view}
 * @param viewOn the collection or view in the same database that it reads, {@code db.coll}
 * @param pipeline its stages; none for a plain alias
 * @param collation null for simple
 */
public record ViewRule(
        Namespace namespace,
        Namespace viewOn,
        List<BsonDocument> pipeline,
        @Nullable BsonDocument collation) implements ShardingRule {
    public ViewRule {
        pipeline = List.copyOf(pipeline);
        Requirements requirements = new Requirements();
        NamespaceDemands.check(namespace, requirements);
        CollationDemands.check(collation, requirements);
        requirements
                .that(
                        viewOn.database().equals(namespace.database()),
                        "viewOn",
                        viewOn + " (expected: a collection of database " + namespace.database()
                                + ", as the view's own)")
                .that(!viewOn.equals(namespace), "viewOn", viewOn + " is the view itself (expected: what it reads)")
                .check();
    }

    @Override
    public String subject() {
        return namespace.fullName();
    }
}
