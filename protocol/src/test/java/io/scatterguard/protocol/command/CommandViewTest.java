package io.scatterguard.protocol.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.OpReply;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import java.util.List;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.io.BasicOutputBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandViewTest {
    @ParameterizedTest
    @CsvSource({
        "isMaster, IS_MASTER",
        "ismaster, IS_MASTER",
        "ISMASTER, IS_MASTER",
        "hello, HELLO",
        "Hello, UNKNOWN",
        "find, FIND",
        "Find, UNKNOWN",
        "findandmodify, FIND_AND_MODIFY",
        "nosuch, UNKNOWN"
    })
    void tellsNamesApartAsTheServerDoes(String text, CommandName expected) {
        assertThat(CommandName.of(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(CommandName.class)
    void aNameIsFoundInAMessageAsItIsByItsText(CommandName name) {
        CommandView command = CommandView.of("shop", BsonView.encode(new BsonDocument(name.text(), new BsonInt32(1))));
        assertThat(command.commandName()).isEqualTo(name);
        assertThat(CommandName.of(name.text())).isEqualTo(name);
        assertThat(command.name()).isEqualTo(name.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ISMASTER", "findé", "Find", "", "BB"})
    void aNameThatIsNotListedKeepsItsText(String text) {
        CommandView command = CommandView.of("shop", BsonView.encode(new BsonDocument(text, new BsonInt32(1))));
        assertThat(command.name()).isEqualTo(text);
        assertThat(command.commandName()).isEqualTo(CommandName.of(text));
    }

    @Test
    void everyFieldIsFoundAndNoOther() {
        BsonDocument document = new BsonDocument("find", new BsonString("c"));
        List<String> names = List.of("a", "", "ab", "ba", "$db", "filter", "a.b", "x", "comment", "xyz", "zyx");
        for (String name : names) {
            assertThat(CommandView.of("shop", BsonView.encode(document)).get(name))
                    .as(name)
                    .isNull();
            document.append(name, new BsonInt32(document.size()));
            CommandView command = CommandView.of("shop", BsonView.encode(document));
            for (String present : document.keySet()) {
                assertThat(command.get(present).toBsonValue()).as(present).isEqualTo(document.get(present));
                assertThat(command.cursorAt(present).value().toBsonValue()).isEqualTo(document.get(present));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c', filter: {}, limit: 1, lsid: {}, $clusterTime: {}, $db: 'shop'} | true",
                "{insert: 'c', ordered: true, lsid: {}, $clusterTime: {}, txnNumber: 1, $db: 'shop'} | true",
                "{aggregate: 'c', pipeline: [], cursor: {}, lsid: {}, $clusterTime: {}, $db: 'shop'} | true",
                "{find: 'c', filtera: 1, filterb: 1} | true",
                "{find: 'c', aba: 1, aca: 1} | false"
            })
    void whetherNamesAreDistinctIsToldOnTheSafeSide(String body, boolean distinct) {
        assertThat(view(body).hasDistinctNames()).isEqualTo(distinct);
    }

    @Test
    void aNameThatStandsTwiceIsNeverTakenForDistinct() {
        BasicOutputBuffer out = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(out)) {
            writer.writeStartDocument();
            writer.writeString("find", "c");
            writer.writeInt32("filter", 1);
            writer.writeInt32("filter", 2);
            writer.writeEndDocument();
        }
        BsonView body = BsonView.of(Unpooled.wrappedBuffer(out.toByteArray()));
        assertThat(CommandView.of("shop", body).hasDistinctNames()).isFalse();
    }

    @Test
    void theCommandIsTheFirstKeyWhateverFollows() {
        CommandView command = view("{ping: 1, find: 'c', filter: {}}");
        assertThat(command.commandName()).isEqualTo(CommandName.PING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{isMaster: 1, client: {}}", "{$query: {isMaster: 1, client: {}}, $readPreference: {}}"})
    void readsACommandInAnOpQuery(String query) {
        OpQuery message = (OpQuery) WireMessage.decode(Frames.opQuery(3, "admin.$cmd", query));
        CommandView command = CommandView.of(message);
        assertThat(message.isCommand()).isTrue();
        assertThat(command.database()).isEqualTo("admin");
        assertThat(command.commandName()).isEqualTo(CommandName.IS_MASTER);
        assertThat(command.get("client")).isNotNull();
        message.release();
    }

    @Test
    void tooManyFieldsAreAProtocolErrorAndManyAreNot() {
        BsonDocument document = BsonDocument.parse("{find: 'c'}");
        for (int i = 1; i < CommandView.MAX_FIELDS; i++) {
            document.append("f" + i, new BsonInt32(i));
        }
        assertThat(CommandView.of("shop", BsonView.encode(document)).commandName())
                .isEqualTo(CommandName.FIND);
        document.append("one", new BsonInt32(1));
        assertThatThrownBy(() -> CommandView.of("shop", BsonView.encode(document)))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void anEmptyBodyIsAProtocolError() {
        assertThatThrownBy(() -> view("{}")).isInstanceOf(ProtocolException.class);
    }

    @Test
    void seesTheExplainedCommandAndTransactions() {
        CommandView explained =
                view("{explain: {find: 'c', filter: {a: 1}}}").explained().orElseThrow();
        assertThat(explained.commandName()).isEqualTo(CommandName.FIND);
        assertThat(explained.namespace().fullName()).isEqualTo("shop.c");
        assertThat(view("{find: 'c'}").explained()).isEmpty();
        assertThat(view("{explain: 1}").explained()).isEmpty();
        assertThat(view("{find: 'c', autocommit: false, txnNumber: 1}").inTransaction())
                .isTrue();
        // The server ignores a null, and autocommit without a transaction's number is an error: neither may excuse.
        assertThat(view("{find: 'c', autocommit: null, txnNumber: 1}").inTransaction())
                .isFalse();
        assertThat(view("{find: 'c', autocommit: true, txnNumber: 1}").inTransaction())
                .isFalse();
        assertThat(view("{find: 'c', autocommit: false}").inTransaction()).isFalse();
        assertThat(view("{find: 'c'}").inTransaction()).isFalse();
    }

    @Test
    void anErrorReplyAnswersInTheOpcodeOfItsRequest() {
        BsonDocument error = BsonDocument.parse("{ok: 0.0, code: 61001}");
        MessageHeader legacy = new MessageHeader(100, 5, 0, OpCode.OP_QUERY.value());
        OpReply reply = (OpReply) WireMessage.decode(
                ErrorReply.encode(io.netty.buffer.UnpooledByteBufAllocator.DEFAULT, legacy, 9, error));
        assertThat(reply.header().responseTo()).isEqualTo(5);
        assertThat(reply.numberReturned()).isEqualTo(1);
        assertThat(reply.document()).isNotNull();
        assertThat(reply.document().toBsonDocument()).isEqualTo(error);
        reply.release();

        MessageHeader modern = new MessageHeader(100, 6, 0, OpCode.OP_MSG.value());
        OpMsg message = (OpMsg) WireMessage.decode(
                ErrorReply.encode(io.netty.buffer.UnpooledByteBufAllocator.DEFAULT, modern, 10, error));
        assertThat(message.header()).isEqualTo(new MessageHeader(message.bytes().readableBytes(), 10, 6, 2013));
        assertThat(message.body().toBsonDocument()).isEqualTo(error);
        message.release();
    }

    private static CommandView view(String json) {
        return CommandView.of("shop", BsonView.encode(BsonDocument.parse(json)));
    }
}
