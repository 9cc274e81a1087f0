package io.scatterguard.protocol.codec;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;

/**
 * The bytes of a request that has a reservation, which lives as long as they do: it is given back when the last of them was
 * written, or when they were dropped. Takes the reservation.
 */
final class ReservedBytes extends CompositeByteBuf {
    private final Reservation reservation;

    ReservedBytes(ByteBufAllocator alloc, Reservation reservation) {
        super(alloc, alloc.isDirectBufferPooled(), Integer.MAX_VALUE);
        this.reservation = reservation;
    }

    @Override
    protected void deallocate() {
        super.deallocate();
        reservation.release();
    }
}
