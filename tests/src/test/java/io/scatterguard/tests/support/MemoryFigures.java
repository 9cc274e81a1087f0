package io.scatterguard.tests.support;

import io.netty.buffer.UnpooledByteBufAllocator;

/**
 * What a JVM holds after a full collection.
 *
 * @param heapBytes live objects, of the test too
 * @param bufferBytes buffers of one allocator
 */
public record MemoryFigures(long heapBytes, long bufferBytes) {
    public static MemoryFigures of(UnpooledByteBufAllocator allocator) {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        // One collection may leave what finalizers and references hold.
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return new MemoryFigures(
                least,
                allocator.metric().usedDirectMemory() + allocator.metric().usedHeapMemory());
    }

    @Override
    public String toString() {
        return "%,d bytes of heap, %,d bytes of buffers".formatted(heapBytes, bufferBytes);
    }
}
