package io.scatterguard.tests.captures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;

/** One direction of a connection on its way through the proxy, a message at a time. */
final class Passage {
    /** A message: how many bytes the sender sends, and what the receiver must get. */
    record Message(int sentBytes, ByteBuffer expected) {}

    private final List<Message> messages;
    private int sentBytes;
    private int whole;
    private int received;

    Passage(List<Message> messages) {
        this.messages = messages;
    }

    /** Another {@code count} bytes were sent. */
    void sent(int count) {
        sentBytes += count;
        while (whole < messages.size() && sentBytes >= messages.get(whole).sentBytes()) {
            sentBytes -= messages.get(whole).sentBytes();
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
            ByteBuffer expected = messages.get(received).expected();
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
