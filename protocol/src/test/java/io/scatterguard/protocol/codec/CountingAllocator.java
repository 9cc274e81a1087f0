package io.scatterguard.protocol.codec;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.concurrent.atomic.AtomicLong;

/** An allocator that knows how many bytes of its buffers are alive. Heap only. */
final class CountingAllocator extends AbstractByteBufAllocator {
    private final AtomicLong live;

    CountingAllocator(AtomicLong live) {
        super(false);
        this.live = live;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, initialCapacity, maxCapacity) {
            @Override
            protected byte[] allocateArray(int length) {
                live.addAndGet(length);
                return super.allocateArray(length);
            }

            @Override
            protected void freeArray(byte[] array) {
                live.addAndGet(-array.length);
            }
        };
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return newHeapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
