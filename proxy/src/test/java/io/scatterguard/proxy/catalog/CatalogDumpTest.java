package io.scatterguard.proxy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogDumpTest {
    @Test
    void writesWhatItReadsWithEveryTypeKept() {
        RawCatalog catalog = new RawCatalog(
                List.of(BsonDocument.parse("{_id: 's0', host: 'rs/h:1', state: 1}")),
                List.of(BsonDocument.parse("{_id: 'shop', primary: 's0'}")),
                List.of(BsonDocument.parse("{_id: 'shop.orders', key: {a: 1}, uuid: {$uuid: "
                        + "'00000000-0000-4000-8000-000000000001'}, timestamp: {$timestamp: {t: 4294967295, i: 7}}}")),
                List.of(
                        BsonDocument.parse("{min: {a: {$minKey: 1}}, max: {a: {$numberLong: '5'}}, shard: 's0'}"),
                        BsonDocument.parse("{min: {a: {$numberLong: '5'}}, max: {a: {$numberDecimal: '7.50'}}}"),
                        BsonDocument.parse("{min: {a: {$numberDecimal: '7.50'}}, max: {a: {$numberDouble: '9.0'}}}")),
                List.of(BsonDocument.parse("{ns: 'shop.orders', tag: 'EU'}")),
                List.of(BsonDocument.parse("{_id: 'shop.v', viewOn: 'orders', pipeline: [{$match: {a: 1}}]}")),
                List.of(BsonDocument.parse("{_id: 'pauseMigrationsDuringMultiUpdates', enabled: true}")));
        StringWriter out = new StringWriter();
        CatalogDump.write(catalog, out);

        assertThat(CatalogDump.read(out.toString())).isEqualTo(catalog);
        assertThat(CatalogDump.parse(out.toString()).serverVersion()).isNull();

        CatalogDump versioned = new CatalogDump(catalog, "6.0.5");
        StringWriter again = new StringWriter();
        versioned.write(again);
        assertThat(again.toString()).startsWith("{\n\"serverVersion\": \"6.0.5\",\n\"shards\": [");
        assertThat(CatalogDump.parse(again.toString())).isEqualTo(versioned);
    }

    @Test
    void membersThatAreNotThereAreEmpty() {
        assertThat(CatalogDump.read("{\"shards\": [{\"_id\": \"s0\"}], \"version\": []}"))
                .isEqualTo(new RawCatalog(List.of(BsonDocument.parse("{_id: 's0'}")), List.of(), List.of(), List.of()));
    }

    @ParameterizedTest
    @ValueSource(ints = {250, 5_000, 100_000})
    void saysThatADumpIsNestedTooDeeply(int levels) {
        assertThatThrownBy(() -> CatalogDump.read("{\"shards\": " + "[".repeat(levels) + "]".repeat(levels) + "}"))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining("nested too deeply");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {}                           | no member "shards"
                    {"chunks": []}               | no member "shards"
                    []                           | not a catalog dump
                    {"shards":                   | not a catalog dump
                    {"shards": [], "serverVersion": 6} | "serverVersion" is not a string (it is: INT32)
                    {"shards": []} {"shards": []} | unexpected '{' at line 1, column 15, after the end of the document
                    {"shards": []} x             | unexpected 'x'
                    {"shards": [{"_id": {"$oid": "zz"}}]} | not a catalog dump
                    {"shards": [{"a": 12345678901234567890123}]} | not a catalog dump
                    {"shards": {}}               | "shards" is not a list (it is: DOCUMENT)
                    {"shards": [{}, 5]}          | "shards" element 1 is not a document (it is: INT32)
                    """)
    void saysWhatIsWrongWithAnythingElse(String text, String message) {
        assertThatThrownBy(() -> CatalogDump.read(text))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{key: {a: 1}, timestamp: 1, noAutoSplit: false} | {uuid: 1, onCurrentShardSince: 1} | 6.3",
                "{key: {a: 1}, timestamp: 1, chunksAlreadySplitForDowngrade: true} | {uuid: 1} | 6.0",
                "{key: {a: 1}, lastmodEpoch: 1} | {ns: 'd.c'} | 4.4",
                "{key: {a: 1}, timestamp: 1} | {uuid: 1, ns: 'd.c'} |",
                "{key: {a: 1}, timestamp: 1} | {uuid: 1, onCurrentShardSince: 1} |",
            })
    void theDocumentsOfSomeReleasesShowWhichItWas(String collection, String chunk, String release) {
        String dump = "{shards: [], collections: [" + collection + "], chunks: [" + chunk + "]";
        assertThat(CatalogDump.parse(dump + "}").serverVersion()).isEqualTo(release);
        assertThat(CatalogDump.parse(dump + ", serverVersion: '5.0.9'}").serverVersion())
                .isEqualTo("5.0.9");
    }
}
