package io.scatterguard.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageCompressionTest {
    private static final int MAX = MessageHeader.DEFAULT_MAX_MESSAGE_BYTES;
    private static final String FIND = "{find: 'orders', filter: {status: 'open'}, $db: 'shop'}";

    private final MessageCompression compression = MessageCompression.load();
    private final DirectAllocator alloc = new DirectAllocator();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void readsWhatTheLibrariesWriteInWhateverBufferItCame(int id) throws IOException {
        ByteBuf plain = Frames.opMsg(7, OpMsg.CHECKSUM_PRESENT, FIND);
        ByteBuf heap = CompressedFrames.compressed(id, plain);
        ByteBuf direct = Unpooled.directBuffer().writeBytes(heap.duplicate());
        CompositeByteBuf parts = Unpooled.compositeBuffer();
        parts.addComponent(true, heap.copy(0, 20)).addComponent(true, heap.copy(20, heap.readableBytes() - 20));
        ByteBuf later = Unpooled.directBuffer()
                .writeLong(0)
                .writeBytes(heap.duplicate())
                .skipBytes(8);
        for (ByteBuf bytes : List.of(heap, direct, parts, later)) {
            int begin = bytes.readerIndex();
            OpCompressed message = (OpCompressed) WireMessage.decode(bytes);
            ByteBuf inflated = compression.inflate(alloc, message, MAX);
            assertThat(inflated).isEqualTo(plain);
            assertThat(bytes.readerIndex()).isEqualTo(begin);
            inflated.release();
            message.release();
        }
        plain.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void readsWhatItWritesAtEverySizeAroundTheGrowthOfTheOutput(int id) {
        Random random = new Random(id);
        for (int size : new int[] {4, 5, 100, 16_367, 16_368, 16_369, 70_000, 1 << 20, (3 << 20) + 1}) {
            byte[] content = new byte[size];
            random.nextBytes(content);
            Arrays.fill(content, 0, size / 2, (byte) 'x');
            ByteBuf plain = Frames.message(9, 4, OpCode.OP_MSG.value(), Unpooled.wrappedBuffer(content));
            OpCompressed message = (OpCompressed) WireMessage.decode(compression.deflate(alloc, plain, id));
            assertThat(message.header().requestId()).isEqualTo(9);
            assertThat(message.header().responseTo()).isEqualTo(4);
            assertThat(message.compressorId()).isEqualTo(id);
            ByteBuf inflated = compression.inflate(alloc, message, MAX);
            assertThat(inflated).as("%s bytes", size).isEqualTo(plain);
            inflated.release();
            message.release();
            plain.release();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aDeclaredSizeThatIsNotWhatIsInsideIsAnError(int id) throws IOException {
        byte[] content = new byte[100_000];
        byte[] data = CompressedFrames.data(id, content);
        for (int declared : new int[] {-1, Integer.MIN_VALUE, 0, 1, 99_999, 100_001, 200_000, MAX, Integer.MAX_VALUE}) {
            assertFails(CompressedFrames.frame(1, OpCode.OP_MSG.value(), declared, id, data), "");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aClaimOfALargeMessageAllocatesForWhatCameOnly(int id) throws IOException {
        int most = MAX - MessageHeader.SIZE_BYTES;
        byte[] small = CompressedFrames.data(id, new byte[10]);
        byte[] random = new byte[1500];
        new Random(1).nextBytes(random);
        for (byte[] data : List.of(new byte[0], new byte[10], new byte[] {-1, -1, -1, -1, 7}, small, random)) {
            alloc.reset();
            assertFails(CompressedFrames.frame(1, OpCode.OP_MSG.value(), most, id, data), "");
            assertThat(alloc.allocatedBytes()).isLessThan(64 * 1024);
        }
    }

    /** A reservation of the declared size must be enough. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whatComesOutIsNeverCopied(int id) throws IOException {
        byte[] content = new byte[10_000_000];
        byte[] data = CompressedFrames.data(id, content);
        ByteBuf bytes = CompressedFrames.frame(1, OpCode.OP_MSG.value(), content.length, id, data);
        OpCompressed message =
                (OpCompressed) WireMessage.decode(Unpooled.directBuffer().writeBytes(bytes));
        alloc.reset();
        ByteBuf inflated = compression.inflate(alloc, message, MAX);
        assertThat(inflated.readableBytes()).isEqualTo(16 + content.length);
        assertThat(alloc.allocatedBytes()).isLessThan(content.length + 32 * 1024);
        inflated.release();
        message.release();
        assertThat(alloc.liveBytes()).isZero();
    }

    /** A claim in the compressor's own frame as well: what neither the size nor the compressed data bear out. */
    @Test
    void aSnappyLengthBeyondWhatItsBytesCanHoldAllocatesNothing() {
        int most = MAX - MessageHeader.SIZE_BYTES;
        byte[] data = new byte[2000];
        // The length as a varint, then literals and copies that are damaged.
        ByteBuf length = Unpooled.wrappedBuffer(data).writerIndex(0);
        for (int rest = most; ; rest >>>= 7) {
            length.writeByte(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
            if (rest < 0x80) {
                break;
            }
        }
        assertFails(CompressedFrames.frame(1, OpCode.OP_MSG.value(), most, 1, data), "snappy");
        byte[] longer = Arrays.copyOf(data, 3_000_000);
        alloc.reset();
        assertFails(CompressedFrames.frame(1, OpCode.OP_MSG.value(), most, 1, longer), "");
        assertThat(alloc.allocatedBytes()).isLessThan(3_100_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void everyTruncationAndManyDamagesAreErrorsOrTheSameBytesAndLeakNothing(int id) throws IOException {
        ByteBuf plain = Frames.opMsg(7, 0, FIND);
        byte[] content = ByteBufUtil.getBytes(plain, 16, plain.readableBytes() - 16);
        byte[] data = CompressedFrames.data(id, content);
        for (int cut = 0; cut < data.length; cut++) {
            byte[] part = Arrays.copyOf(data, cut);
            assertFails(CompressedFrames.frame(1, OpCode.OP_MSG.value(), content.length, id, part), "");
        }
        Random random = new Random(id);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = data.clone();
            damaged[random.nextInt(data.length)] ^= (byte) (1 + random.nextInt(255));
            OpCompressed message = (OpCompressed)
                    WireMessage.decode(CompressedFrames.frame(1, OpCode.OP_MSG.value(), content.length, id, damaged));
            try {
                ByteBuf inflated = compression.inflate(alloc, message, MAX);
                assertThat(inflated.readableBytes()).isEqualTo(16 + content.length);
                inflated.release();
            } catch (ProtocolException e) {
                assertThat(e).hasMessageNotContaining("null");
            } finally {
                message.release();
            }
        }
        plain.release();
    }

    @Test
    void zstdFramesOneAfterAnotherAreReadAsTheServerReadsThem() {
        ByteBuf plain = Frames.opMsg(7, 0, FIND);
        byte[] content = ByteBufUtil.getBytes(plain, 16, plain.readableBytes() - 16);
        byte[] first = Zstd.compress(Arrays.copyOf(content, 10));
        byte[] second = Zstd.compress(Arrays.copyOfRange(content, 10, content.length));
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        OpCompressed message = (OpCompressed)
                WireMessage.decode(CompressedFrames.frame(7, OpCode.OP_MSG.value(), content.length, 3, both));
        ByteBuf inflated = compression.inflate(alloc, message, MAX);
        assertThat(inflated).isEqualTo(plain);
        inflated.release();
        message.release();
        // What stands in the first frame alone is not the message.
        assertFails(CompressedFrames.frame(7, OpCode.OP_MSG.value(), 10, 3, both), "");
    }

    @Test
    void aZstdWindowBeyondWhatTheMessageNeedsIsAnError() {
        // Magic number, a header with neither single segment nor content size, a window of 2^(10+21) bytes.
        byte[] data = {(byte) 0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, (byte) (21 << 3), 1, 0, 0};
        assertFails(CompressedFrames.frame(1, OpCode.OP_MSG.value(), 100, 3, data), "zstd");
    }

    @Test
    void nestedAndUnknownCompressionAreErrors() throws IOException {
        ByteBuf plain = Frames.opMsg(7, 0, FIND);
        assertFails(CompressedFrames.compressed(0, CompressedFrames.compressed(2, plain)), "OP_COMPRESSED");
        for (int id : new int[] {4, 5, 127, 128, 255}) {
            assertFails(
                    CompressedFrames.frame(1, OpCode.OP_MSG.value(), 3, id, new byte[3]), "compressorId: " + id + " ");
        }
        plain.release();
    }

    @Test
    void aCompressorWithoutItsLibraryIsMissingAndTheOthersWork() throws IOException {
        MessageCompression without = MessageCompression.load(Map.of("zlib", ZlibCompressor::new, "snappy", () -> {
            throw new UnsatisfiedLinkError("no file may be executed");
        }));
        assertThat(without.missing()).containsOnlyKeys("snappy");
        assertThat(without.missing().get("snappy")).contains("no file may be executed");
        ByteBuf plain = Frames.opMsg(7, 0, FIND);
        OpCompressed snappy = (OpCompressed) WireMessage.decode(CompressedFrames.compressed(1, plain));
        assertThatThrownBy(() -> without.inflate(alloc, snappy, MAX)).hasMessageContaining("2 zlib");
        snappy.release();
        OpCompressed zlib = (OpCompressed) WireMessage.decode(CompressedFrames.compressed(2, plain));
        without.inflate(alloc, zlib, MAX).release();
        zlib.release();
        assertThat(compression.missing()).isEmpty();
        plain.release();
    }

    /** And the compressed bytes are neither kept nor released. */
    private void assertFails(ByteBuf bytes, String message) {
        OpCompressed compressed = (OpCompressed) WireMessage.decode(bytes);
        assertThatThrownBy(() -> compression.inflate(alloc, compressed, MAX))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(message);
        assertThat(compressed.refCnt()).isOne();
        compressed.release();
        assertThat(bytes.refCnt()).isZero();
        assertThat(alloc.liveBytes()).isZero();
    }

    @Test
    void theTruncatedPrefixIsAnErrorAtEveryLength() {
        for (int cut = 0; cut < OpCompressed.PREFIX_BYTES; cut++) {
            ByteBuf bytes = Frames.message(
                    1, 0, OpCode.OP_COMPRESSED.value(), Unpooled.buffer().writeZero(cut));
            assertThatThrownBy(() -> WireMessage.decode(bytes)).isInstanceOf(ProtocolException.class);
            assertThat(bytes.refCnt()).isZero();
        }
    }
}
