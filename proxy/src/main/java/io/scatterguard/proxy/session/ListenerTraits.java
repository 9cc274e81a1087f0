package io.scatterguard.proxy.session;

import io.scatterguard.protocol.wire.OpCode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a listener does with messages that are not for the policy, and as what it shows its servers.
 *
 * @param refused the opcodes that are refused; OP_QUERY stands for queries of collections, never for commands, and {@code
 *     UNKNOWN} also for what only servers send
 * @param status answers the status command; null to forward it like any command
 * @param asMongos whether the servers are members of a replica set that are presented as a mongos
 */
public record ListenerTraits(Set<OpCode> refused, @Nullable StatusReport status, boolean asMongos) {
    /** Everything is forwarded. */
    public static final ListenerTraits FORWARDING = new ListenerTraits(Set.of(), null);

    /** In front of servers that are shown as what they are. */
    public ListenerTraits(Set<OpCode> refused, @Nullable StatusReport status) {
        this(refused, status, false);
    }

    public ListenerTraits {
        refused = Set.copyOf(refused);
        if (refused.contains(OpCode.OP_MSG) || refused.contains(OpCode.OP_COMPRESSED)) {
            throw new IllegalArgumentException("refused: " + refused + " (expected: legacy opcodes or UNKNOWN)");
        }
    }

    boolean refuses(OpCode opCode) {
        return refused.contains(opCode == OpCode.OP_REPLY ? OpCode.UNKNOWN : opCode);
    }
}
