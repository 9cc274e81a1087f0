package io.scatterguard.proxy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names are those that the drivers give in their handshakes. */
class DriverHintTest {
    private static Finding finding(List<String> apps, List<String> drivers, List<Finding.KeyField> fields) {
        return new Finding(
                "b877d4f5f43a820d",
                false,
                Finding.Kind.SCATTER_GATHER,
                new Finding.Subject("shop.orders", "find", "find {}"),
                new Finding.KeyUse("{region: 1, userId: 1}", fields),
                new Finding.Reach(3, 3, true),
                new Finding.Cause("", "", "", List.of(), null, null),
                new Finding.Seen(1, 0, 0, 0, null, null),
                new Finding.Clients(apps, drivers, List.of()),
                "unowned");
    }

    private static Finding.KeyField missing(String name) {
        return new Finding.KeyField(name, null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "mongo-java-driver|sync|spring-boot 5.6.0 -> Spring Data: declare the key by @Sharded(shardKey = \"region\")"
                        + " so that save() sends it, and add Criteria.where(\"region\").is(…) to queries",
                "nodejs|Mongoose 6.20.0|8.24.0 -> mongoose: set the schema's option shardKey: {region: 1} (with the whole"
                        + " key) so that save() sends it, and add region to the filter of queries",
                "PyMongo 3.11.0 -> PyMongo: add \"region\": … to the filter, a dict",
                "PyMongo|Motor 4.6.0|3.3.2 -> PyMongo: add \"region\": … to the filter, a dict",
                "mongo-java-driver|sync 5.14.0 -> Java driver: Filters.and(Filters.eq(\"region\", …), …)",
                "nodejs 7.9.0 -> Node.js driver: add \"region\": … to the filter, an object",
                "nodejs|mongosh 7.9.0|2.12.0 -> Node.js driver: add \"region\": … to the filter, an object",
                "mongo-go-driver 2.1.0 -> Go driver: bson.D{{\"region\", …}, …}",
                "mongo-csharp-driver 2.21.0.0 -> C# driver: Builders<T>.Filter.And(Builders<T>.Filter.Eq(\"region\", …), …)",
                "mongo-rust-driver 3.1.0 -> Rust driver: doc! { \"region\": …, … }",
                "mongo-ruby-driver 2.21.0 -> Ruby driver: find('region' => …, …)",
                "mongoc / ext-mongodb:PHP / PHPLIB 1.25.2 / 1.18.0 -> PHP library: add 'region' => … to the filter, an array",
            })
    void eachLibraryHasItsOwnWay(String driver, String hint) {
        Finding finding = finding(
                List.of(), List.of(driver), List.of(missing("region"), new Finding.KeyField("userId", "point")));
        assertThat(DriverHint.of(finding)).contains(hint);
    }

    @Test
    void severalFieldsAreAllNamed() {
        List<Finding.KeyField> both = List.of(missing("region"), missing("userId"));
        assertThat(DriverHint.of(finding(List.of(), List.of("mongo-java-driver|sync|spring-boot 5"), both)))
                .hasValueSatisfying(hint -> assertThat(hint).contains("@Sharded(shardKey = {\"region\", \"userId\"})"));
        assertThat(DriverHint.of(finding(List.of(), List.of("mongo-java-driver|sync 5.14.0"), both)))
                .contains("Java driver: Filters.and(Filters.eq(\"region\", …), Filters.eq(\"userId\", …), …)");
    }

    /** A log of a server names applications, and no drivers. */
    @Test
    void anApplicationsNameTellsWhereNoDriverIsRecorded() {
        List<Finding.KeyField> region = List.of(missing("region"));
        assertThat(DriverHint.of(finding(List.of("checkout-pymongo"), List.of(), region)))
                .isPresent();
        assertThat(DriverHint.of(finding(List.of("checkout-pymongo"), List.of("nodejs 7.9.0"), region)))
                .hasValueSatisfying(hint -> assertThat(hint).startsWith("Node.js"));
        assertThat(DriverHint.of(finding(List.of("php-shop"), List.of(), region)))
                .as("too short a word to be sure")
                .isEmpty();
    }

    @Test
    void nothingIsSaidOfAnUnknownDriverOrAWholeKey() {
        assertThat(DriverHint.of(finding(List.of(), List.of("MongoKitten 7"), List.of(missing("region")))))
                .isEmpty();
        assertThat(DriverHint.of(
                        finding(List.of(), List.of("nodejs 7.9.0"), List.of(new Finding.KeyField("region", "range")))))
                .isEmpty();
    }
}
