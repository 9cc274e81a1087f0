package io.scatterguard.protocol.codec;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;

/** An allocator that knows how many bytes were ever allocated outside the heap, and how many of them are alive. */
final class DirectAllocator extends AbstractByteBufAllocator {
    private long allocated;
    private long live;

    DirectAllocator() {
        super(true);
    }

    /** Since the last {@link #reset}, freed or not. */
    long allocatedBytes() {
        return allocated;
    }

    long liveBytes() {
        return live;
    }

    void reset() {
        allocated = 0;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        allocated += initialCapacity;
        live += initialCapacity;
        return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity) {
            @Override
            public ByteBuf capacity(int newCapacity) {
                allocated += newCapacity;
                live += newCapacity - capacity();
                return super.capacity(newCapacity);
            }

            @Override
            protected void deallocate() {
                live -= capacity();
                super.deallocate();
            }
        };
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
