package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;

/**
 * An OP_MSG whose sections contradict each other in a way that a server answers with an error, without closing the
 * connection. What it asks for is not decided by its bytes, so it must never be forwarded as if it were judged.
 *
 * <p>Source of codes and texts: the server's own parser of OP_MSG, releases 5.0 to 8.0.
 */
public final class MalformedOpMsg extends WireMessage {
    private final int flagBits;
    private final int code;
    private final String codeName;
    private final String errmsg;

    MalformedOpMsg(MessageHeader header, ByteBuf bytes, int flagBits, Fault fault) {
        super(header, bytes);
        this.flagBits = flagBits;
        this.code = fault.code();
        this.codeName = fault.codeName();
        this.errmsg = fault.errmsg();
    }

    /**
     * What is wrong with the sections, as a server says it.
     *
     * @param codeName {@code Location} and the code where the server has no name for it
     */
    record Fault(int code, String codeName, String errmsg) {
        static Fault located(int code, String errmsg) {
            return new Fault(code, "Location" + code, errmsg);
        }
    }

    /** The server's error code. */
    public int code() {
        return code;
    }

    public String codeName() {
        return codeName;
    }

    public String errmsg() {
        return errmsg;
    }

    /** False for {@code moreToCome}: the server answers nothing, not even this. */
    public boolean replyExpected() {
        return (flagBits & OpMsg.MORE_TO_COME) == 0;
    }
}
