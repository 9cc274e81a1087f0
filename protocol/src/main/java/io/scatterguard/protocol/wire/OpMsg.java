package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * OP_MSG: flag bits, one body section and document sequences of distinct names in any order, an optional CRC-32C. No
 * sequence stands for a field that the body has too, and a checksum is right: {@link OpMsgDecoder} makes nothing else.
 *
 * <p>Source: the manual's "OP_MSG" section and the driver specification "OP_MSG".
 */
public final class OpMsg extends WireMessage {
    /** Bit 0: the last four bytes are a checksum. */
    public static final int CHECKSUM_PRESENT = 1;
    /** Bit 1: another message follows without a request (in a reply), or no reply is wanted (in a request). */
    public static final int MORE_TO_COME = 1 << 1;
    /** Bit 16: the client accepts several replies. */
    public static final int EXHAUST_ALLOWED = 1 << 16;

    /** Bits 0–15 must be understood by who reads them; bits 16–31 may be ignored. */
    private static final int REQUIRED_BITS = 0xffff;

    private final int flagBits;
    private final BsonView body;
    private final List<DocumentSequence> sequences;

    OpMsg(MessageHeader header, ByteBuf bytes, int flagBits, BsonView body, List<DocumentSequence> sequences) {
        super(header, bytes);
        this.flagBits = flagBits;
        this.body = body;
        this.sequences = sequences;
    }

    public int flagBits() {
        return flagBits;
    }

    public boolean checksumPresent() {
        return (flagBits & CHECKSUM_PRESENT) != 0;
    }

    public boolean moreToCome() {
        return (flagBits & MORE_TO_COME) != 0;
    }

    public boolean exhaustAllowed() {
        return (flagBits & EXHAUST_ALLOWED) != 0;
    }

    /** Whether a required flag bit is set that is not known: what the message asks for cannot be told. */
    static boolean hasUnknownRequiredBits(int flagBits) {
        return (flagBits & REQUIRED_BITS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) != 0;
    }

    /** The body section, a view that dies with this message. */
    public BsonView body() {
        return body;
    }

    /** The document sequences in the order they came. */
    public List<DocumentSequence> sequences() {
        return sequences;
    }

    /** The first sequence with this identifier, or null. */
    public @Nullable DocumentSequence sequence(String identifier) {
        for (DocumentSequence sequence : sequences) {
            if (sequence.identifier().equals(identifier)) {
                return sequence;
            }
        }
        return null;
    }
}
