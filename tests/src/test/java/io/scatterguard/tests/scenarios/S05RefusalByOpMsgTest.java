package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.Deployment;
import io.scatterguard.tests.support.Deployment.Tls;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.OpQueryBuilder;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.WireFrame;
import io.scatterguard.tests.support.WireHeader;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** S5 (teleport #18549): a refusal answers the very request in its opcode, and the connection serves the next command. */
@ExtendWith(BlockHoundExtension.class)
@ParameterizedClass
@EnumSource(Tls.class)
class S05RefusalByOpMsgTest {
    private static final int REFUSED = 61_001;
    private static final BsonDocument BROADCAST =
            BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");
    private static final BsonDocument TARGETED =
            BsonDocument.parse("{find: 'orders', filter: {customerId: 7, orderId: 1}, $db: 'shop'}");

    @TempDir
    private Path folder;

    @Parameter
    private Tls tls;

    private Deployment deployment;
    private RawClient client;

    @BeforeEach
    void start() {
        deployment = Deployment.of(tls, ScriptedMongos.start().withData(), folder);
        client = deployment.rawClient();
    }

    @AfterEach
    void stop() {
        client.close();
        deployment.close();
    }

    /** The smallest and the largest numbers, which a reply computed from a counter would miss. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, -1, 4711, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void aRefusalAnswersTheRequest(int requestId) {
        refusedThenServed(OpMsgBuilder.of(requestId, BROADCAST), WireHeader.OP_MSG);
    }

    @Test
    void aRequestWithAChecksumIsRefusedAlike() {
        refusedThenServed(client.msg(BROADCAST).checksum(), WireHeader.OP_MSG);
    }

    @Test
    void anOpQueryIsRefusedByAnOpReply() {
        OpQueryBuilder query = client.query(BsonDocument.parse("{find: 'orders', filter: {status: 'open'}}"))
                .namespace("shop.$cmd");
        refusedThenServed(query, WireHeader.OP_REPLY);
        refusedThenServed(
                client.query(BsonDocument.parse("{find: 'orders', filter: {status: 'open'}}"))
                        .namespace("shop.$cmd")
                        .wrapped(),
                WireHeader.OP_REPLY);
    }

    private void refusedThenServed(RawMessage request, int opCode) {
        client.send(request);
        WireFrame refusal = client.receive();
        assertThat(refusal.opCode()).isEqualTo(opCode);
        assertThat(refusal.responseTo()).isEqualTo(request.requestId());
        assertThat(refusal.moreToCome()).isFalse();
        assertThat(refusal.body().getNumber("code").intValue()).isEqualTo(REFUSED);
        assertThat(client.command(TARGETED).getNumber("ok").intValue()).isOne();
        assertThat(deployment.mongos().requests("find"))
                .allSatisfy(
                        find -> assertThat(find.command().getDocument("filter")).containsKey("customerId"));
    }
}
