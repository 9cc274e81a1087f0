package io.scatterguard.protocol.wire;

/**
 * The opcodes of the MongoDB wire protocol. Numbers from the manual's page "MongoDB Wire Protocol"; the legacy ones were
 * removed from the server in 5.1 but still have names, so that a sighting can be counted.
 */
public enum OpCode {
    OP_REPLY(1),
    OP_UPDATE(2001),
    OP_INSERT(2002),
    OP_QUERY(2004),
    OP_GET_MORE(2005),
    OP_DELETE(2006),
    OP_KILL_CURSORS(2007),
    OP_COMPRESSED(2012),
    OP_MSG(2013),
    /** Any other number; the header keeps it. */
    UNKNOWN(-1);

    private final int value;

    OpCode(int value) {
        this.value = value;
    }

    /** The number on the wire; −1 for {@link #UNKNOWN}. */
    public int value() {
        return value;
    }

    /** The opcode with this number, {@link #UNKNOWN} if none has it. */
    public static OpCode of(int value) {
        return switch (value) {
            case 1 -> OP_REPLY;
            case 2001 -> OP_UPDATE;
            case 2002 -> OP_INSERT;
            case 2004 -> OP_QUERY;
            case 2005 -> OP_GET_MORE;
            case 2006 -> OP_DELETE;
            case 2007 -> OP_KILL_CURSORS;
            case 2012 -> OP_COMPRESSED;
            case 2013 -> OP_MSG;
            default -> UNKNOWN;
        };
    }
}
