package io.scatterguard.tests.support;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The sixteen bytes every wire message starts with. */
public record WireHeader(int messageLength, int requestId, int responseTo, int opCode) {
    public static final int BYTES = 16;
    public static final int OP_REPLY = 1;
    public static final int OP_QUERY = 2004;
    public static final int OP_COMPRESSED = 2012;
    public static final int OP_MSG = 2013;

    /** Reads a header from the first {@link #BYTES} bytes of {@code bytes}; no field is checked. */
    public static WireHeader parse(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new WireHeader(in.getInt(), in.getInt(), in.getInt(), in.getInt());
    }

    /** The name of the opcode, or its number where it has none here. */
    public String opCodeName() {
        return switch (opCode) {
            case OP_REPLY -> "OP_REPLY";
            case OP_QUERY -> "OP_QUERY";
            case OP_COMPRESSED -> "OP_COMPRESSED";
            case OP_MSG -> "OP_MSG";
            default -> "opcode " + opCode;
        };
    }
}
