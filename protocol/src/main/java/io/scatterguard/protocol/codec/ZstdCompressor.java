package io.scatterguard.protocol.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.util.Native;
import io.scatterguard.protocol.wire.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Compressor 3: zstd frames (RFC 8878), one after another. Their window, for which the library makes room outside the heap,
 * may be no larger than what was declared needs.
 */
final class ZstdCompressor implements Compressor {
    /** Every decoder should take a window of 8 MiB, says RFC 8878. */
    private static final int LEAST_WINDOW_LOG = 23;

    /** Fails with an error of the library where its native part cannot be loaded. */
    ZstdCompressor() {
        Native.load();
    }

    @Override
    public int id() {
        return 3;
    }

    @Override
    public String text() {
        return "zstd";
    }

    @Override
    public void decompress(ByteBuffer in, int size, BoundedOutput out) {
        try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
            context.setLongMax(Math.max(LEAST_WINDOW_LOG, Integer.SIZE - Integer.numberOfLeadingZeros(size)));
            boolean frameEnded = false;
            while (in.hasRemaining() || !frameEnded) {
                ByteBuffer room = out.room();
                int before = in.remaining();
                int from = room.position();
                frameEnded = context.decompressDirectByteBufferStream(room, in);
                int count = room.position() - from;
                out.wrote(count);
                if (count == 0 && before == in.remaining() && !frameEnded) {
                    throw new ProtocolException("zstd: the frame is cut off");
                }
            }
        } catch (ZstdException e) {
            throw new ProtocolException("zstd: " + e.getMessage());
        }
    }

    @Override
    public boolean begin(ByteBuffer in, ByteBuffer out) {
        try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
            int before;
            do {
                before = in.remaining() + out.remaining();
                context.decompressDirectByteBufferStream(out, in);
            } while (out.hasRemaining() && in.remaining() + out.remaining() < before);
            return !out.hasRemaining();
        } catch (ZstdException e) {
            throw new ProtocolException("zstd: " + e.getMessage());
        }
    }

    @Override
    public int maxCompressedBytes(int size) {
        return Math.toIntExact(Zstd.compressBound(size));
    }

    @Override
    public int compress(ByteBuffer in, ByteBuffer out) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            return context.compress(out, in);
        }
    }
}
