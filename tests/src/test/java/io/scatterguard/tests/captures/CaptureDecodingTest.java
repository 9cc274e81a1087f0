package io.scatterguard.tests.captures;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.tests.captures.Capture.Direction;
import io.scatterguard.tests.fuzz.wire.Framing;
import io.scatterguard.tests.fuzz.wire.Framing.Message;
import io.scatterguard.tests.fuzz.wire.Framing.Outcome;
import io.scatterguard.tests.fuzz.wire.Parts;
import io.scatterguard.tests.support.WireFrame;
import io.scatterguard.tests.support.WireHeader;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every recorded message, however it arrives, is read as a codec that is not the proxy's reads it. */
class CaptureDecodingTest {
    private static final int RANDOM_CUTS = 20;
    private static final int LONGEST_PART_BYTES = 300;

    private static Stream<Arguments> streams() {
        return Capture.NAMES.stream()
                .map(Capture::read)
                .flatMap(capture -> capture.connections().stream()
                        .flatMap(connection -> Arrays.stream(Direction.values())
                                .map(direction -> Arguments.argumentSet(
                                        capture + " " + connection + " " + direction,
                                        capture.stream(connection, direction)))));
    }

    /** Both directions: that a reply is whole only matters to who reads one as a document. */
    @ParameterizedTest
    @MethodSource("streams")
    void requestsAreFramedAlikeHoweverTheyArrive(byte[] stream) {
        Outcome whole =
                assertAlike(stream, parts -> Framing.ofRequests(parts, MessageHeader.DEFAULT_MAX_MESSAGE_BYTES));
        assertSameAs(Capture.messages(stream), whole);
        for (int i = 0; i < whole.messages().size(); i++) {
            WireFrame expected = Capture.messages(stream).get(i);
            int opCode = expected.header().opCode();
            boolean command = opCode == WireHeader.OP_MSG || opCode == WireHeader.OP_QUERY;
            assertThat(whole.messages().get(i).commandName()).isEqualTo(command ? expected.commandName() : "");
        }
    }

    @ParameterizedTest
    @MethodSource("streams")
    void repliesAreFramedAlikeHoweverTheyArrive(byte[] stream) {
        Outcome whole = assertAlike(stream, Framing::ofReplies);
        List<WireFrame> expected = Capture.messages(stream);
        assertSameAs(expected, whole);
        for (int i = 0; i < expected.size(); i++) {
            int flagBits = expected.get(i).header().opCode() == WireHeader.OP_MSG
                    ? expected.get(i).flagBits()
                    : 0;
            assertThat(whole.messages().get(i).text()).isEqualTo("flagBits=" + flagBits);
        }
    }

    @ParameterizedTest
    @MethodSource("streams")
    void aMessageByItselfIsDecodedAsInItsStream(byte[] stream) {
        List<Message> inStream = Framing.ofRequests(Parts.whole(stream), MessageHeader.DEFAULT_MAX_MESSAGE_BYTES)
                .messages();
        for (int i = 0; i < inStream.size(); i++) {
            WireFrame frame = Capture.messages(stream).get(i);
            WireMessage message = WireMessage.decode(Unpooled.wrappedBuffer(frame.bytes()));
            try {
                assertThat(message.header()).isEqualTo(inStream.get(i).header());
                assertThat(message.bytes().nioBuffer()).isEqualTo(frame.raw());
            } finally {
                message.release();
            }
        }
    }

    private static Outcome assertAlike(byte[] stream, Function<List<byte[]>, Outcome> framing) {
        Outcome whole = framing.apply(Parts.whole(stream));
        assertThat(whole.error()).isEmpty();
        assertThat(framing.apply(Parts.bytes(stream))).isEqualTo(whole);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < RANDOM_CUTS; i++) {
            assertThat(framing.apply(Parts.random(stream, LONGEST_PART_BYTES, random)))
                    .isEqualTo(whole);
        }
        return whole;
    }

    private static void assertSameAs(List<WireFrame> expected, Outcome actual) {
        assertThat(actual.messages()).isNotEmpty().hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            WireHeader header = expected.get(i).header();
            assertThat(actual.messages().get(i).header())
                    .isEqualTo(new MessageHeader(
                            header.messageLength(), header.requestId(), header.responseTo(), header.opCode()));
            assertThat(Base64.getDecoder().decode(actual.messages().get(i).bytes()))
                    .isEqualTo(expected.get(i).bytes());
        }
    }
}
