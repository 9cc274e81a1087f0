package io.scatterguard.proxy.offline;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.scatterguard.proxy.records.AuditRecord;
import io.scatterguard.proxy.records.RecordJson;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** The same record says the same, whichever library has read it. */
class BsonFieldsTest {
    private static List<Object> all(AuditRecord record) {
        return List.of(
                record.kind(),
                record.says(),
                List.of(record.represents(), record.commands(), record.findings(), record.exempted()),
                List.of(record.refused(), record.wouldRefuse(), record.serverMicros(), record.shards()),
                record.id(),
                record.namespace(),
                record.at());
    }

    @Test
    void bothReadersAgree() throws JsonProcessingException {
        for (String line : List.of(
                "{\"seq\":1,\"ts\":\"2026-12-01T10:20:30.123456Z\",\"db\":\"shop\",\"coll\":\"c\",\"shape\":{\"hash\":\"aa\"},"
                        + "\"route\":{\"shardCount\":3},\"verdict\":{\"action\":\"log\",\"wouldRefuse\":true},"
                        + "\"micros\":{\"server\":12}}",
                "{\"seq\":1,\"verdict\":{\"action\":\"refuse\",\"reason\":\"malformed\"}}",
                "{\"seq\":1,\"verdict\":{\"action\":\"allow\",\"exemption\":\"nightly\"}}",
                "{\"seq\":4,\"counts\":{\"findings\":9,\"exempted\":2,\"wouldRefuse\":3,\"serverMicros\":100}}",
                "{\"gap\":{\"from\":2,\"to\":3,\"count\":2},\"ts\":\"never\"}",
                "{\"seq\":true,\"route\":[],\"verdict\":\"x\",\"db\":5,\"shape\":{\"hash\":null},\"micros\":{\"server\":\"x\"}}",
                "{\"seq\":1,\"counts\":5,\"verdict\":{\"action\":7,\"wouldRefuse\":\"true\"},\"route\":{\"shardCount\":-3}}")) {
            assertThat(all(AuditRecord.of(new BsonFields(BsonDocument.parse(line)))))
                    .as(line)
                    .isEqualTo(all(AuditRecord.of(RecordJson.parse(line))));
        }
    }
}
