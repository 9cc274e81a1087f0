package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.PeakAllocator;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.SinkMongos;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lengths that are wrong in every way, of messages and inside of them: no crash, no hang, no large allocation, and other
 * connections do not notice. From envoy PR 20613 and 21138.
 */
@ExtendWith(BlockHoundExtension.class)
class S07WrongLengthsTest {
    private static final int REQUEST_ID = 7;
    private static final long FEW_BYTES = 2_000_000;

    private final PeakAllocator allocator = new PeakAllocator();
    private ProxyUnderTest proxy;
    private RawClient other;

    @BeforeEach
    void start() {
        SinkMongos sink = ProxyUnderTest.sink();
        proxy = ProxyUnderTest.inFrontOf(sink, RuntimeParts.standard().withAllocator(allocator), "", "");
        other = proxy.rawClient();
        other.adminCommand("ping");
        allocator.resetPeak();
    }

    @AfterEach
    void stop() {
        assertThat(other.adminCommand("ping").getNumber("ok").intValue())
                .as("another connection")
                .isEqualTo(1);
        other.close();
        Awaitility.await().until(() -> proxy.runtime().counters().openConnections() == 0);
        assertThat(proxy.runtime().counters().internalErrorCount()).isZero();
        assertThat(allocator.peakBytes()).isLessThan(FEW_BYTES);
        proxy.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 15, Integer.MAX_VALUE, Integer.MIN_VALUE, 48_000_001})
    void aWrongLengthOfAMessageClosesItsConnection(int length) {
        for (int sent : new int[] {16, 17, 200}) {
            try (RawClient client = proxy.rawClient()) {
                client.sendBytes(withInt(Arrays.copyOf(sound(), sent), 0, length));
                client.expectClosed();
            }
        }
    }

    @Test
    void anyWrongLengthInsideIsAnsweredOrClosesTheConnection() {
        byte[] sound = sound();
        int answered = 0;
        List<byte[]> wrong = new ArrayList<>();
        for (int at = 16; at + Integer.BYTES <= sound.length; at++) {
            int value = ByteBuffer.wrap(sound).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
            // Every length in the message, and much that is none, such as flag bits and numbers.
            if (value > 0 && value <= sound.length) {
                for (int bad : new int[] {-1, 0, 1, 4, value - 1, value + 1, 0x7fffffff, Integer.MIN_VALUE}) {
                    wrong.add(withInt(sound, at, bad));
                }
            }
        }
        assertThat(wrong).hasSizeGreaterThan(80);
        for (byte[] message : wrong) {
            answered += answers(message) ? 1 : 0;
        }
        System.out.printf("%d messages with a wrong length inside: %d answered%n", wrong.size(), answered);
        assertThat(answers(sound)).isTrue();
    }

    @Test
    void aMessageThatIsCutAnywhereIsAnsweredOrClosesTheConnection() {
        byte[] sound = sound();
        for (int length = 16; length < sound.length; length += 3) {
            answers(withInt(Arrays.copyOf(sound, length), 0, length));
        }
        assertThat(answers(sound)).isTrue();
    }

    /** Sends {@code message} by a connection of its own; false if that is closed. What does neither fails. */
    private boolean answers(byte[] message) {
        try (RawClient client = proxy.rawClient()) {
            // Whatever the message is taken for, a write without reply included, this is answered behind it.
            client.sendBytes(message);
            client.send(client.msg(BsonDocument.parse("{ping: 1, $db: 'admin'}")));
            return client.receiveOrEnd().isPresent();
        }
    }

    private static byte[] sound() {
        String body = "{find: 'orders', $db: 'shop', filter: {customerId: {$in: [1, 2, 'three']}, "
                + "note: 'a text', data: {$binary: {base64: 'AAECAwQ=', subType: '00'}}, nested: {a: [{b: 1}]}}, "
                + "comment: 'another text'}";
        return OpMsgBuilder.of(REQUEST_ID, BsonDocument.parse(body))
                .sequence("documents", List.of(BsonDocument.parse("{x: 'y'}"), BsonDocument.parse("{x: 2}")))
                .encode();
    }

    private static byte[] withInt(byte[] message, int at, int value) {
        byte[] changed = message.clone();
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return changed;
    }
}
