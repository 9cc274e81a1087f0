package io.scatterguard.tests.support;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.concurrent.atomic.AtomicLong;

/** An allocator that knows the most bytes of buffers that were alive at once. Unpooled, so that the count is exact. */
public final class PeakAllocator extends AbstractByteBufAllocator {
    private final UnpooledByteBufAllocator unpooled = new UnpooledByteBufAllocator(true);
    private final AtomicLong peak = new AtomicLong();

    public PeakAllocator() {
        super(true);
    }

    /** The most bytes alive at once since the last reset, direct and heap together. */
    public long peakBytes() {
        return peak.get();
    }

    /** The bytes alive now, direct and heap together. */
    public long liveBytes() {
        return unpooled.metric().usedDirectMemory() + unpooled.metric().usedHeapMemory();
    }

    public void resetPeak() {
        peak.set(0);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return counted(unpooled.heapBuffer(initialCapacity, maxCapacity));
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return counted(unpooled.directBuffer(initialCapacity, maxCapacity));
    }

    private ByteBuf counted(ByteBuf buffer) {
        peak.accumulateAndGet(liveBytes(), Math::max);
        return buffer;
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
