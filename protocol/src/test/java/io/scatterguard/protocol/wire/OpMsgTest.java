package io.scatterguard.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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
    void anIdentifierThatNoCommandHasIsAnErrorThatDoesNotRepeatIt() {
        String longest = "i".repeat(LegacyFields.MAX_NAME_BYTES);
        byte[] body = Frames.section(INSERT);
        WireMessage.decode(Frames.opMsg(1, 0, body, Frames.sequence(longest, "{a: 1}")))
                .release();
        ByteBuf longer = Frames.opMsg(1, 0, body, Frames.sequence(longest + "i", "{a: 1}"));
        assertThatThrownBy(() -> WireMessage.decode(longer))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("document sequence identifier: 1025 bytes (expected: at most 1024)");
        assertThat(longer.refCnt()).isZero();
    }

    @Test
    void readsFlagBits() {
        int flags = OpMsg.CHECKSUM_PRESENT | OpMsg.MORE_TO_COME | OpMsg.EXHAUST_ALLOWED;
        OpMsg message = (OpMsg) WireMessage.decode(Frames.opMsg(1, flags, INSERT));
        assertThat(message.checksumPresent()).isTrue();
        assertThat(message.moreToCome()).isTrue();
        assertThat(message.exhaustAllowed()).isTrue();
        assertThat(CommandView.of(message).replyExpected()).isFalse();
        message.release();

        // An unknown optional bit may be ignored, an unknown required one may not.
        WireMessage.decode(Frames.opMsg(1, 1 << 17, INSERT)).release();
        for (int bit : new int[] {2, 3, 15}) {
            assertThatThrownBy(() -> WireMessage.decode(Frames.opMsg(1, 1 << bit, INSERT)))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("IllegalOpMsgFlag");
        }
    }

    @Test
    void truncatedAtEveryLengthIsAnErrorAndReleasesTheBytes() {
        ByteBuf whole = Frames.opMsg(1, 0, Frames.section(INSERT), Frames.sequence("documents", "{a: 1}"));
        int length = whole.readableBytes();
        for (int cut = 16 + 4 + 1; cut < length; cut++) {
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

    @ParameterizedTest
    @MethodSource("contradictions")
    void whatAServerAnswersWithAnErrorIsMalformedButDecoded(int code, byte[][] sections) {
        for (int flagBits : new int[] {0, OpMsg.MORE_TO_COME, OpMsg.CHECKSUM_PRESENT}) {
            ByteBuf bytes = Frames.opMsg(1, flagBits, sections);
            MalformedOpMsg message = (MalformedOpMsg) WireMessage.decode(bytes);
            assertThat(message.code()).isEqualTo(code);
            assertThat(message.codeName()).isEqualTo(code == 13 ? "Unauthorized" : "Location" + code);
            assertThat(message.replyExpected()).isEqualTo(flagBits != OpMsg.MORE_TO_COME);
            message.release();
            assertThat(bytes.refCnt()).isZero();
        }
    }

    static List<Arguments> contradictions() {
        byte[] body = Frames.section("{insert: 'c', documents: [], $db: 'shop'}");
        byte[] documents = Frames.sequence("documents", "{a: 1}");
        byte[] other = Frames.sequence("other", "{a: 1}");
        return List.of(
                Arguments.of(40430, new byte[][] {body, body}),
                Arguments.of(40587, new byte[][] {documents}),
                Arguments.of(40431, new byte[][] {other, other, body}),
                Arguments.of(40431, new byte[][] {other, body, documents, other}),
                Arguments.of(40432, new byte[][] {{9}, body}),
                Arguments.of(40432, new byte[][] {body, {(byte) 0xff}}),
                Arguments.of(13, new byte[][] {{2, 'x', 0}, body}),
                Arguments.of(40433, new byte[][] {body, documents}),
                Arguments.of(40433, new byte[][] {documents, body}));
    }

    @Test
    void twoSequencesOfDifferentNamesAreFine() {
        ByteBuf bytes = Frames.opMsg(
                1, 0, Frames.sequence("ops", "{a: 1}"), Frames.section(INSERT), Frames.sequence("nsInfo", "{b: 1}"));
        OpMsg message = (OpMsg) WireMessage.decode(bytes);
        assertThat(message.sequences()).hasSize(2);
        message.release();
    }

    @Test
    void aWrongChecksumIsAnErrorWhicheverBitIsWrong() {
        ByteBuf whole = Frames.opMsg(1, OpMsg.CHECKSUM_PRESENT, INSERT);
        WireMessage.decode(whole.copy()).release();
        // A checksum has to be right in parts, too.
        CompositeByteBuf parts = Unpooled.compositeBuffer();
        parts.addComponent(true, whole.copy(0, 17)).addComponent(true, whole.copy(17, whole.readableBytes() - 17));
        WireMessage.decode(parts).release();
        int checksumAt = whole.readableBytes() - 4;
        for (int at : new int[] {4, 8, checksumAt - 6, checksumAt, checksumAt + 3}) {
            ByteBuf damaged = whole.copy();
            damaged.setByte(at, damaged.getByte(at) ^ 1);
            assertThatThrownBy(() -> WireMessage.decode(damaged))
                    .as("byte %s", at)
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("ChecksumMismatch");
            assertThat(damaged.refCnt()).isZero();
        }
    }

    @Test
    void aChecksumWithoutAnythingToCheckIsAnErrorThatIsAnswered() {
        ByteBuf bytes = Frames.message(
                1,
                0,
                OpCode.OP_MSG.value(),
                Unpooled.buffer().writeIntLE(OpMsg.CHECKSUM_PRESENT).writeIntLE(7));
        MalformedOpMsg message = (MalformedOpMsg) WireMessage.decode(bytes);
        assertThat(message.code()).isEqualTo(51252);
        message.release();
    }

    @Test
    void boundsTheNumberOfSectionsAndDocumentsAndTheSizeOfTheBody() {
        byte[][] sections = new byte[18][];
        for (int i = 0; i < 17; i++) {
            sections[i] = Frames.sequence("x" + i);
        }
        sections[17] = Frames.section("{a: 1}");
        assertThatThrownBy(() -> WireMessage.decode(Frames.opMsg(1, 0, sections)))
                .hasMessageContaining("more than 16");
        WireMessage.decode(Frames.opMsg(1, 0, java.util.Arrays.copyOfRange(sections, 2, 18)))
                .release();

        ByteBuf empties = Unpooled.buffer().writeByte('x').writeByte(0);
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
        ByteBuf unknown = Frames.message(1, 0, 4242, Unpooled.buffer());
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
