package io.scatterguard.proxy.session;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** An allocator that fails for as long as a test says so. */
final class FaultyAllocator extends AbstractByteBufAllocator {
    boolean failing;
    private int untilFault = -1;

    FaultyAllocator() {
        super(true);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        check();
        return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        check();
        return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
    }

    /** Fails once, after {@code buffers} more were made. */
    void failAfter(int buffers) {
        untilFault = buffers;
    }

    private void check() {
        if (failing || (untilFault >= 0 && untilFault-- == 0)) {
            throw new IllegalStateException("planted");
        }
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }
}
