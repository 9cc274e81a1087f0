package io.scatterguard.tests.captures;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.support.WireFrame;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;

/** One direction of a connection on its way through the proxy, a message at a time. */
final class Passage {
    private final List<WireFrame> messages;
    private int sentBytes;
    private int whole;
    private int received;

    /** Of everything that is ever sent. */
    Passage(byte[] stream) {
        messages = Capture.messages(stream);
    }

    /** Another {@code count} bytes were sent. */
    void sent(int count) {
        sentBytes += count;
        while (whole < messages.size()
                && sentBytes >= messages.get(whole).header().messageLength()) {
            sentBytes -= messages.get(whole).header().messageLength();
            whole++;
        }
    }

    /** The messages that were sent whole and not yet received. */
    int due() {
        return whole - received;
    }

    /** Receives what is due and compares it; returns how many messages that were. */
    int receive(InputStream in) throws IOException {
        int due = due();
        for (; received < whole; received++) {
            ByteBuffer expected = messages.get(received).raw();
            assertThat(hex(ByteBuffer.wrap(in.readNBytes(expected.remaining()))))
                    .as("message " + received + " of its direction")
                    .isEqualTo(hex(expected));
        }
        return due;
    }

    private static String hex(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return HexFormat.of().formatHex(copy);
    }

    boolean isOver() {
        return received == messages.size() && sentBytes == 0;
    }
}
