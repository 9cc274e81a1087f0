package io.scatterguard.protocol.codec;

import com.github.luben.zstd.Zstd;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.OpCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.DeflaterOutputStream;
import org.xerial.snappy.Snappy;

/** OP_COMPRESSED messages for tests, made with the libraries directly; owned heap bytes. */
final class CompressedFrames {
    private CompressedFrames() {}

    /** {@code message} compressed by the compressor with this id. */
    static ByteBuf compressed(int compressorId, ByteBuf message) throws IOException {
        byte[] content = ByteBufUtil.getBytes(message, 16, message.readableBytes() - 16);
        return frame(
                message.getIntLE(4), message.getIntLE(12), content.length, compressorId, data(compressorId, content));
    }

    static byte[] data(int compressorId, byte[] content) throws IOException {
        return switch (compressorId) {
            case 0 -> content;
            case 1 -> Snappy.compress(content);
            case 2 -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
                    deflater.write(content);
                }
                yield out.toByteArray();
            }
            case 3 -> Zstd.compress(content);
            default -> throw new IllegalArgumentException("compressorId: " + compressorId);
        };
    }

    /** With whatever the parts say. */
    static ByteBuf frame(int requestId, int originalOpCode, int uncompressedSize, int compressorId, byte[] data) {
        ByteBuf body = Unpooled.buffer()
                .writeIntLE(originalOpCode)
                .writeIntLE(uncompressedSize)
                .writeByte(compressorId)
                .writeBytes(data);
        return Frames.message(requestId, 0, OpCode.OP_COMPRESSED.value(), body);
    }
}
