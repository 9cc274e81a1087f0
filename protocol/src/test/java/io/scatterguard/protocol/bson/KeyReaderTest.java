package io.scatterguard.protocol.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class KeyReaderTest {
    /** Values of every type, and those whose bytes are hard to find the end of. */
    private static List<BsonValueView> values() {
        List<BsonValueView> values = new ArrayList<>();
        for (String[] equal : KeyBytesTest.ASCENDING) {
            for (String json : equal) {
                values.add(value(json));
            }
        }
        values.add(value("[null, {\"a\": [\"x\\u0000\", {}], \"b\": {\"$oid\": \"000000000000000000000000\"}}, \"\"]"));
        values.add(value("{\"$numberDecimal\": \"-9007199254740993.125\"}"));
        return values;
    }

    private static BsonValueView value(String json) {
        return BsonValueView.of(BsonDocument.parse("{\"v\": " + json + "}").get("v"));
    }

    @Test
    void tellsTheClassOfEveryValueWhateverFollowsIt() {
        for (BsonValueView first : values()) {
            for (BsonValueView second : values()) {
                KeyReader reader = new KeyReader(new KeyBytes()
                        .append(first)
                        .append(second)
                        .append(first)
                        .toByteArray());
                assertThat(reader.next()).isEqualTo(TypeClass.of(first.type()));
                assertThat(reader.next()).as("%s after %s", second, first).isEqualTo(TypeClass.of(second.type()));
                assertThat(reader.next()).isEqualTo(TypeClass.of(first.type()));
                assertThat(reader.hasNext()).isFalse();
            }
        }
    }

    @Test
    void saysWhatIsNotKeyBytes() {
        assertThatThrownBy(() -> new KeyReader(new byte[] {(byte) 0xff}).next())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("class byte -1");
    }
}
