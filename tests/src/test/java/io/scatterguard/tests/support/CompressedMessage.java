package io.scatterguard.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** {@code message} inside an OP_COMPRESSED that keeps its requestId and responseTo. */
public record CompressedMessage(RawMessage message, WireCompressor compressor) implements RawMessage {
    @Override
    public int requestId() {
        return message.requestId();
    }

    @Override
    public byte[] encode() {
        byte[] plain = message.encode();
        WireHeader header = WireHeader.parse(plain);
        byte[] content = Arrays.copyOfRange(plain, WireHeader.BYTES, plain.length);
        try {
            return new MessageBytes()
                    .int32(header.opCode())
                    .int32(content.length)
                    .int8(compressor.id())
                    .bytes(compressor.compress(content))
                    .finish(header.requestId(), header.responseTo(), WireHeader.OP_COMPRESSED, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
