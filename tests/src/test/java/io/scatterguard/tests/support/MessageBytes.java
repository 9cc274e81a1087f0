package io.scatterguard.tests.support;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A buffer of message bytes under construction, its first {@link WireHeader#BYTES} left for the header. */
final class MessageBytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    MessageBytes() {
        out.writeBytes(new byte[WireHeader.BYTES]);
    }

    MessageBytes int32(int value) {
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array());
        return this;
    }

    MessageBytes int64(long value) {
        return int32((int) value).int32((int) (value >>> Integer.SIZE));
    }

    MessageBytes int8(int value) {
        out.write(value);
        return this;
    }

    MessageBytes bytes(byte[] value) {
        out.writeBytes(value);
        return this;
    }

    MessageBytes cstring(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8)).int8(0);
    }

    /** What was added, without the room for a header. */
    byte[] withoutHeader() {
        byte[] all = out.toByteArray();
        return Arrays.copyOfRange(all, WireHeader.BYTES, all.length);
    }

    /** The message with its header filled in; {@code trailingBytes} are counted as if they were already there. */
    byte[] finish(int requestId, int responseTo, int opCode, int trailingBytes) {
        byte[] message = out.toByteArray();
        ByteBuffer.wrap(message)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(message.length + trailingBytes)
                .putInt(requestId)
                .putInt(responseTo)
                .putInt(opCode);
        return message;
    }
}
