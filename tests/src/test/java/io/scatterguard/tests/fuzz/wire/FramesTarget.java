package io.scatterguard.tests.fuzz.wire;

import io.scatterguard.tests.fuzz.wire.Framing.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The framing of either direction: a stream in parts gives what it gives in one piece.
 *
 * <p>Input: a byte whose highest bit chooses replies and whose lowest four say how many lengths of parts follow, those
 * lengths less one, and the stream.
 */
public final class FramesTarget {
    /** Small enough for an input to go beyond it, and above the size up to which a message is copied into one buffer. */
    private static final int MAX_MESSAGE_BYTES = 96 * 1024;

    private static final int REPLIES = 0x80;
    private static final int LENGTHS = 0x0f;

    private FramesTarget() {}

    /** Called by Jazzer for every input. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 2) {
            return;
        }
        int count = Math.min(input[0] & LENGTHS, input.length - 1);
        int[] lengths = new int[Math.max(1, count)];
        Arrays.fill(lengths, 1);
        for (int i = 0; i < count; i++) {
            lengths[i] = (input[1 + i] & 0xff) + 1;
        }
        byte[] stream = Arrays.copyOfRange(input, 1 + count, input.length);
        Function<List<byte[]>, Outcome> framing =
                (input[0] & REPLIES) != 0 ? Framing::ofReplies : parts -> Framing.ofRequests(parts, MAX_MESSAGE_BYTES);
        Outcome whole = framing.apply(Parts.whole(stream));
        Outcome inParts = framing.apply(Parts.cut(stream, lengths));
        Framing.require(whole.equals(inParts), "the same in one piece and in parts: " + whole, inParts);
    }

    /** The input that has {@code stream} arrive in parts of {@code length} bytes. */
    static byte[] input(boolean replies, int length, byte[] stream) {
        byte[] input = new byte[2 + stream.length];
        input[0] = (byte) (replies ? REPLIES | 1 : 1);
        input[1] = (byte) (length - 1);
        System.arraycopy(stream, 0, input, 2, stream.length);
        return input;
    }
}
