package io.scatterguard.tests.support;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.xerial.snappy.Snappy;

/** A compressor of OP_COMPRESSED, by its id on the wire; each uses its library directly. */
public enum WireCompressor {
    NOOP(0) {
        @Override
        byte[] compress(byte[] bytes) {
            return bytes.clone();
        }

        @Override
        byte[] decompress(byte[] bytes, int size) {
            return bytes.clone();
        }
    },

    SNAPPY(1) {
        @Override
        byte[] compress(byte[] bytes) throws IOException {
            return Snappy.compress(bytes);
        }

        @Override
        byte[] decompress(byte[] bytes, int size) throws IOException {
            if (Snappy.uncompressedLength(bytes) != size) {
                throw new IOException(
                        "declares " + Snappy.uncompressedLength(bytes) + " bytes (expected: " + size + ")");
            }
            return Snappy.uncompress(bytes);
        }
    },

    ZLIB(2) {
        @Override
        byte[] compress(byte[] bytes) {
            Deflater deflater = new Deflater();
            try {
                deflater.setInput(bytes);
                deflater.finish();
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                byte[] part = new byte[8192];
                while (!deflater.finished()) {
                    out.write(part, 0, deflater.deflate(part));
                }
                return out.toByteArray();
            } finally {
                deflater.end();
            }
        }

        @Override
        byte[] decompress(byte[] bytes, int size) throws IOException {
            Inflater inflater = new Inflater();
            try {
                inflater.setInput(bytes);
                byte[] out = new byte[size + 1]; // One more, to notice what is too long.
                int length = 0;
                int more = inflater.inflate(out);
                while (more > 0) {
                    length += more;
                    more = inflater.inflate(out, length, out.length - length);
                }
                return Arrays.copyOf(out, length);
            } catch (DataFormatException e) {
                throw new IOException(e);
            } finally {
                inflater.end();
            }
        }
    },

    ZSTD(3) {
        @Override
        byte[] compress(byte[] bytes) {
            return Zstd.compress(bytes);
        }

        @Override
        byte[] decompress(byte[] bytes, int size) throws IOException {
            try {
                return Zstd.decompress(bytes, size);
            } catch (ZstdException e) {
                throw new IOException(e);
            }
        }
    };

    private final int id;

    WireCompressor(int id) {
        this.id = id;
    }

    abstract byte[] compress(byte[] bytes) throws IOException;

    /** What {@code bytes} unpack to, which may be of another size than {@code size}. */
    abstract byte[] decompress(byte[] bytes, int size) throws IOException;

    /** The compressor of this id; a {@link MalformedFrameException} where there is none. */
    static WireCompressor of(int id) {
        for (WireCompressor compressor : values()) {
            if (compressor.id == id) {
                return compressor;
            }
        }
        throw new MalformedFrameException("compressor: " + id + " (expected: 0..3)");
    }

    /** The {@code compressorId} byte. */
    public int id() {
        return id;
    }

    /** The name in the {@code compression} list of a handshake. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
