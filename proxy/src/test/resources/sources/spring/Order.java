package shop;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.Sharded;

/** An order. {@code @Sharded(shardKey = "documentation")} is not a declaration. */
// @Sharded(shardKey = "commentedOut")
@Document(collection = "purchase_orders")
@Sharded(
        shardKey = {
            "customer", // the customer
            "placedAt",
            /* "ignored", */ "address.country"
        },
        immutableKey = true)
@SuppressWarnings({"unused", "braces {}()"})
public final class Order<T extends Comparable<T>> implements java.io.Serializable {
    private static final String NOTE = "@Sharded(shardKey = \"inAString\") class X { }";

    @Id
    private String number;

    @Field("cust")
    private java.util.Map<String, java.util.List<Long>> customer = new java.util.HashMap<>();

    @Deprecated
    @Field(name = "ts", targetType = org.springframework.data.mongodb.core.mapping.FieldType.DATE_TIME)
    private java.time.Instant placedAt;

    private Address address;

    @Sharded
    static class URLEntry {
        @Id
        Long id;
    }

    @Sharded(shardKey = "id", shardingStrategy = ShardingStrategy.HASH)
    record Visit(@Id String id, @Field("u") String user) {}

    @Sharded(Keys.COUNTRY)
    static class Constant {}

    @Sharded("a")
    @Document("#{tenant.collection()}")
    static class Expression {}

    class NotSharded {}
}
