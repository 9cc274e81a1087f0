package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The CRC-32C that may end an OP_MSG: of every byte before it, the header included.
 *
 * <p>Source: the driver specification "OP_MSG", section "checksum".
 */
public final class Checksum {
    /** The size of a checksum in bytes. */
    public static final int SIZE_BYTES = 4;

    private Checksum() {}

    /** The checksum of {@code length} bytes from {@code offset}. Borrows {@code bytes}. */
    public static int of(ByteBuf bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        if (bytes.nioBufferCount() == 1) {
            crc.update(bytes.internalNioBuffer(offset, length));
        } else {
            for (ByteBuffer part : bytes.nioBuffers(offset, length)) {
                crc.update(part);
            }
        }
        return (int) crc.getValue();
    }
}
