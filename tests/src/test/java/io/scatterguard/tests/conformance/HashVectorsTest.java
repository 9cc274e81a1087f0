package io.scatterguard.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.HashedKey;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every known hash of a hashed index. */
class HashVectorsTest {
    @TestFactory
    Stream<DynamicTest> hashesAsTheServer() {
        return VectorFile.read("hashed-index-values.jsonl").stream()
                .map(v -> DynamicTest.dynamicTest(
                        new BsonDocument("value", v.get("value")).toJson(),
                        () -> assertThat(HashedKey.hash(BsonValueView.of(v.get("value"))))
                                .isEqualTo(v.getInt64("hash").getValue())));
    }
}
