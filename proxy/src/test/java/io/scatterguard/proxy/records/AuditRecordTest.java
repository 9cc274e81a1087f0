package io.scatterguard.proxy.records;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.scatterguard.proxy.records.AuditRecord.Kind;
import io.scatterguard.proxy.records.AuditRecord.Says;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditRecordTest {
    private static AuditRecord record(String line) {
        try {
            return AuditRecord.of(new ObjectMapper().readTree(line.replace('\'', '"')));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "'action':'allow'                                        | NOTHING     | 0 | 0 | 0 | 0",
                "'action':'log'                                          | FINDING     | 1 | 0 | 0 | 0",
                "'action':'log','wouldRefuse':true                       | FINDING     | 1 | 0 | 0 | 1",
                "'action':'refuse'                                       | FINDING     | 1 | 0 | 1 | 0",
                "'action':'refuse','reason':'baseline'                   | FINDING     | 1 | 0 | 1 | 0",
                "'action':'allow','exemption':'nightly'                  | EXEMPTED    | 0 | 1 | 0 | 0",
                "'action':'log','exemption':'nightly','wouldRefuse':true | EXEMPTED    | 0 | 1 | 0 | 0",
                "'action':'refuse','reason':'transactionRefused'         | CONSEQUENCE | 0 | 0 | 0 | 0",
                "'action':'refuse','reason':'internalError'              | CONSEQUENCE | 0 | 0 | 0 | 0",
                "'action':'log','reason':'malformed'                     | CONSEQUENCE | 0 | 0 | 0 | 0",
                "'action':'allow','reason':'malformed'                   | NOTHING     | 0 | 0 | 0 | 0",
                "'reason':'rule'                                         | NOTHING     | 0 | 0 | 0 | 0",
            })
    void aVerdictSaysWhatItIs(String verdict, Says says, int findings, int exempted, int refused, int wouldRefuse) {
        AuditRecord record = record("{'seq':1,'verdict':{" + verdict + "}}");
        assertThat(record.says()).isEqualTo(says);
        assertThat(record.findings()).isEqualTo(findings);
        assertThat(record.exempted()).isEqualTo(exempted);
        assertThat(record.refused()).isEqualTo(refused);
        assertThat(record.wouldRefuse()).isEqualTo(wouldRefuse);
        assertThat(record.commands()).isOne();
    }

    @Test
    void aCountStandsForManyFindings() {
        AuditRecord record =
                record("{'seq':2,'ts':'2026-12-01T10:21:30.5Z','db':'shop','coll':'a.b','shape':{'hash':'aa'},"
                        + "'counts':{'findings':10,'exempted':4,'wouldRefuse':2,'serverMicros':60}}");
        assertThat(record.kind()).isEqualTo(Kind.COUNTS);
        assertThat(record.says()).isEqualTo(Says.NOTHING);
        assertThat(record.commands()).isEqualTo(10);
        assertThat(record.findings()).isEqualTo(6);
        assertThat(record.exempted()).isEqualTo(4);
        assertThat(record.refused()).isZero();
        assertThat(record.wouldRefuse()).isEqualTo(2);
        assertThat(record.serverMicros()).isEqualTo(60);
        assertThat(record.namespace()).isEqualTo("shop.a.b");
        assertThat(record.at()).contains(Instant.parse("2026-12-01T10:21:30.5Z"));
    }

    @Test
    void aGapTellsOfNoCommand() {
        AuditRecord record = record("{'gap':{'from':6,'to':8,'count':3},'ts':'later'}");
        assertThat(record.kind()).isEqualTo(Kind.GAP);
        assertThat(record.represents()).isEqualTo(3);
        assertThat(record.commands()).isZero();
        assertThat(record.at()).isEmpty();
    }

    /** Anybody can write a line: no number of it turns a sum round. */
    @Test
    void hostileNumbersAreNotNegative() {
        AuditRecord record = record("{'seq':2,'counts':{'findings':-10,'exempted':-4,'serverMicros':-60}}");
        assertThat(record.findings()).isZero();
        assertThat(record.exempted()).isZero();
        assertThat(record.serverMicros()).isZero();
        AuditRecord large = record("{'seq':2,'verdict':{'action':'log'},'route':{'shardCount':99999999999},"
                + "'micros':{'server':9223372036854775807}}");
        assertThat(large.shards()).isPositive();
        assertThat(large.shardMicros()).isPositive();
    }
}
