package io.scatterguard.protocol.codec;

import io.scatterguard.protocol.wire.ProtocolException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Reads the first bytes of snappy's raw format, whatever follows: literals, and copies of what was written before.
 *
 * <p>Source: the format description of the snappy library.
 */
final class SnappyElements {
    private final ByteBuffer in;

    /** Borrows {@code in}, which may be cut off anywhere. */
    SnappyElements(ByteBuffer in) {
        this.in = in;
    }

    /**
     * Writes to {@code out} until it is full; returns whether it is.
     *
     * @throws ProtocolException if a copy refers to bytes that were never written
     */
    boolean fill(ByteBuffer out) {
        try {
            skipLength();
            int start = out.position();
            while (out.hasRemaining()) {
                element(out, start);
            }
            return true;
        } catch (BufferUnderflowException e) {
            return false;
        }
    }

    /** The length of the whole, seven bits a byte. */
    private void skipLength() {
        for (int i = 0; in.get() < 0; i++) {
            if (i == 4) {
                throw new ProtocolException("snappy: a length of more than 5 bytes");
            }
        }
    }

    private void element(ByteBuffer out, int start) {
        int tag = in.get() & 0xff;
        int upper = tag >>> 2;
        switch (tag & 3) {
            case 0 -> literal(out, upper < 60 ? upper : number(upper - 59));
            case 1 -> copy(out, start, ((upper >>> 3) << 8) | number(1), 4 + (upper & 7));
            case 2 -> copy(out, start, number(2), upper + 1);
            default -> copy(out, start, number(4), upper + 1);
        }
    }

    private int number(int count) {
        int number = 0;
        for (int i = 0; i < count; i++) {
            number |= (in.get() & 0xff) << (8 * i);
        }
        return number;
    }

    /** {@code lengthLessOne} is unsigned. */
    private void literal(ByteBuffer out, int lengthLessOne) {
        for (long left = (lengthLessOne & 0xffff_ffffL) + 1; left > 0 && out.hasRemaining(); left--) {
            out.put(in.get());
        }
    }

    private static void copy(ByteBuffer out, int start, int offset, int length) {
        if (offset <= 0 || offset > out.position() - start) {
            throw new ProtocolException("snappy: a copy of bytes that were never written");
        }
        for (int left = length; left > 0 && out.hasRemaining(); left--) {
            out.put(out.get(out.position() - offset));
        }
    }
}
