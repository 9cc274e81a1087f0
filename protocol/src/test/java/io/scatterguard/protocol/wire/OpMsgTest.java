package io.scatterguard.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpMsgTest {
    private static final String INSERT = "{insert: 'c', $db: 'shop'}";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readsDocumentSequencesBeforeAndAfterTheBody(boolean sequenceFirst) {
        byte[] body = Frames.section(INSERT);
        byte[] sequence = Frames.sequence("documents", "{a: 1}", "{a: 2}");
        ByteBuf bytes = sequenceFirst ? Frames.opMsg(7, 0, sequence, body) : Frames.opMsg(7, 0, body, sequence);
        OpMsg message = (OpMsg) WireMessage.decode(bytes);
        try {
            CommandView command = CommandView.of(message);
            assertThat(command.commandName()).isEqualTo(CommandName.INSERT);
            assertThat(command.namespace().fullName()).isEqualTo("shop.c");
            assertThat(documents(command.statements("documents")))
                    .containsExactly(BsonDocument.parse("{a: 1}"), BsonDocument.parse("{a: 2}"));
            assertThat(message.header().requestId()).isEqualTo(7);
        } finally {
            message.release();
        }
        assertThat(bytes.refCnt()).isZero();
    }

    @Test
    void readsFlagBits() {
        int flags = OpMsg.CHECKSUM_PRESENT | OpMsg.MORE_TO_COME | OpMsg.EXHAUST_ALLOWED;
        OpMsg message = (OpMsg) WireMessage.decode(Frames.opMsg(1, flags, INSERT));
        assertThat(message.checksumPresent()).isTrue();
        assertThat(message.moreToCome()).isTrue();
        assertThat(message.exhaustAllowed()).isTrue();
        assertThat(message.hasUnknownRequiredBits()).isFalse();
        assertThat(CommandView.of(message).replyExpected()).isFalse();
        message.release();

        OpMsg unknownBit = (OpMsg) WireMessage.decode(Frames.opMsg(1, 1 << 3, INSERT));
        assertThat(unknownBit.hasUnknownRequiredBits()).isTrue();
        assertThat(unknownBit.moreToCome()).isFalse();
        unknownBit.release();
    }

    @Test
    void truncatedAtEveryLengthIsAnErrorAndReleasesTheBytes() {
        ByteBuf whole = Frames.opMsg(1, 0, Frames.section(INSERT), Frames.sequence("documents", "{a: 1}"));
        int length = whole.readableBytes();
        for (int cut = 16; cut < length; cut++) {
            ByteBuf bytes = whole.copy(0, cut);
            bytes.setIntLE(0, cut);
            if (cut == 16 + 4 + Frames.section(INSERT).length) {
                continue; // a body without the sequence is a whole message
            }
            assertThatThrownBy(() -> WireMessage.decode(bytes))
                    .as("cut at %s", cut)
                    .isInstanceOfAny(ProtocolException.class, MalformedBsonException.class);
            assertThat(bytes.refCnt()).as("cut at %s", cut).isZero();
        }
        whole.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 3, 4, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void everyWrongInnerLengthIsAnError(int wrong) {
        int documentLengthAt = 16 + 4 + 1;
        ByteBuf body = Frames.opMsg(1, 0, INSERT);
        body.setIntLE(documentLengthAt, wrong);
        assertThatThrownBy(() -> WireMessage.decode(body)).isInstanceOf(MalformedBsonException.class);

        ByteBuf sequence = Frames.opMsg(1, 0, Frames.sequence("documents", "{a: 1}"), Frames.section(INSERT));
        sequence.setIntLE(16 + 4 + 1, wrong);
        assertThatThrownBy(() -> WireMessage.decode(sequence))
                .isInstanceOfAny(ProtocolException.class, MalformedBsonException.class);
    }

    @Test
    void refusesTwoBodiesNoBodyAndUnknownSections() {
        assertThatThrownBy(() ->
                        WireMessage.decode(Frames.opMsg(1, 0, Frames.section("{a: 1}"), Frames.section("{b: 1}"))))
                .hasMessageContaining("second body");
        assertThatThrownBy(() -> WireMessage.decode(Frames.opMsg(1, 0, Frames.sequence("documents", "{a: 1}"))))
                .hasMessageContaining("no body");
        assertThatThrownBy(() -> WireMessage.decode(Frames.opMsg(1, 0, new byte[] {9}, Frames.section("{a: 1}"))))
                .hasMessageContaining("section kind 9");
    }

    @Test
    void boundsTheNumberOfSectionsAndDocumentsAndTheSizeOfTheBody() {
        byte[][] sections = new byte[18][];
        java.util.Arrays.fill(sections, Frames.sequence("x"));
        sections[17] = Frames.section("{a: 1}");
        assertThatThrownBy(() -> WireMessage.decode(Frames.opMsg(1, 0, sections)))
                .hasMessageContaining("more than 16");
        WireMessage.decode(Frames.opMsg(1, 0, java.util.Arrays.copyOfRange(sections, 2, 18)))
                .release();

        ByteBuf empties = io.netty.buffer.Unpooled.buffer().writeByte('x').writeByte(0);
        for (int i = 0; i <= DocumentSequence.MAX_DOCUMENTS; i++) {
            empties.writeIntLE(5).writeByte(0);
        }
        assertThatThrownBy(() -> new DocumentSequence("x", empties, 2, empties.writerIndex()))
                .isInstanceOf(ProtocolException.class);
        assertThat(new DocumentSequence("x", empties, 7, empties.writerIndex()).size())
                .isEqualTo(DocumentSequence.MAX_DOCUMENTS);

        String large = "{a: '" + "y".repeat(16 * 1024 * 1024 + 16 * 1024) + "'}";
        assertThatThrownBy(() -> WireMessage.decode(Frames.opMsg(1, 0, large))).hasMessageContaining("body of");
    }

    @Test
    void anyOpcodeIsANamedValue() {
        ByteBuf unknown = Frames.message(1, 0, 4242, io.netty.buffer.Unpooled.buffer());
        WireMessage message = WireMessage.decode(unknown);
        assertThat(message).isInstanceOf(OtherMessage.class);
        assertThat(message.header().opCode()).isEqualTo(OpCode.UNKNOWN);
        assertThat(message.header().opCodeValue()).isEqualTo(4242);
        message.release();
        for (OpCode opCode : OpCode.values()) {
            assertThat(OpCode.of(opCode.value())).isEqualTo(opCode);
        }
    }

    private static List<BsonDocument> documents(List<BsonView> views) {
        List<BsonDocument> documents = new ArrayList<>();
        views.forEach(view -> documents.add(view.toBsonDocument()));
        return documents;
    }
}
