package io.scatterguard.proxy.session;

import io.scatterguard.protocol.wire.OpCode;

/** Whether a server answers a message. */
enum ReplyExpectation {
    ONE,
    NONE,
    /** It cannot be told from outside: a compressed or an unknown message. */
    UNKNOWN;

    /** For a message that is not a command we read. */
    static ReplyExpectation of(OpCode opCode) {
        return switch (opCode) {
            case OP_QUERY, OP_GET_MORE, OP_MSG -> ONE;
            case OP_UPDATE, OP_INSERT, OP_DELETE, OP_KILL_CURSORS, OP_REPLY -> NONE;
            case OP_COMPRESSED, UNKNOWN -> UNKNOWN;
        };
    }
}
