package io.scatterguard.tests.fuzz.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.DocumentSequence;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.tests.support.FrameReader;
import io.scatterguard.tests.support.WireFrame;
import io.scatterguard.tests.support.WireSequence;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message, the command in it, and what routing, policy, shapes and explanations make of it: the same wherever the bytes
 * lie, and nothing but a {@link ProtocolException} or {@link MalformedBsonException} comes of any.
 *
 * <p>Input: one message; its length is put right, and its requestId chooses the cluster.
 */
public final class CommandTarget {
    /** The fields of write commands that hold statements. */
    private static final List<String> STATEMENTS = List.of("documents", "updates", "deletes", "ops", "nsInfo");

    private CommandTarget() {}

    /** Called by Jazzer for every input. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < MessageHeader.SIZE_BYTES) {
            return;
        }
        byte[] message = input.clone();
        for (int i = 0; i < Integer.BYTES; i++) {
            message[i] = (byte) (message.length >> (8 * i));
        }
        String onHeap = said(message, false);
        String offHeap = said(message, true);
        Framing.require(onHeap.equals(offHeap), "the same wherever the bytes lie: " + onHeap, offHeap);
    }

    private static String said(byte[] message, boolean direct) {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
        ByteBuf bytes = direct ? allocator.directBuffer(message.length + 7) : allocator.heapBuffer(message.length);
        if (direct) {
            bytes.writeZero(7).skipBytes(7);
        }
        bytes.writeBytes(message);
        try {
            WireMessage decoded = WireMessage.decode(bytes);
            try {
                return MessageText.of(decoded) + "\n" + said(decoded, message);
            } finally {
                decoded.release();
            }
        } catch (ProtocolException | MalformedBsonException e) {
            return String.valueOf(e.getMessage());
        } finally {
            Framing.require(bytes.refCnt() == 0, "nobody keeps the bytes", bytes.refCnt());
        }
    }

    private static String said(WireMessage decoded, byte[] message) {
        if (decoded instanceof OpMsg msg) {
            agreesWithAnotherCodec(msg, message);
        }
        CommandView command = command(decoded);
        if (command == null) {
            return "no command";
        }
        String accessors = accessors(command);
        BsonWalk.over(command.body());
        return accessors + "\n" + Clusters.allSaidOf(command, decoded.header().requestId());
    }

    private static @Nullable CommandView command(WireMessage decoded) {
        if (decoded instanceof OpMsg msg) {
            return CommandView.of(msg);
        }
        return decoded instanceof OpQuery query && query.isCommand() ? CommandView.of(query) : null;
    }

    /** What we accept, another codec reads alike; a checksum it verifies, and we do not. */
    private static void agreesWithAnotherCodec(OpMsg msg, byte[] message) {
        if (msg.checksumPresent()) {
            return;
        }
        WireFrame frame = FrameReader.parse(message);
        Framing.require(frame.flagBits() == msg.flagBits(), "flagBits " + frame.flagBits(), msg.flagBits());
        Framing.require(
                frame.sequences().size() == msg.sequences().size(),
                "sequences: " + frame.sequences().size(),
                msg.sequences().size());
        for (int i = 0; i < msg.sequences().size(); i++) {
            WireSequence expected = frame.sequences().get(i);
            DocumentSequence actual = msg.sequences().get(i);
            Framing.require(
                    expected.identifier().equals(actual.identifier()), expected.identifier(), actual.identifier());
            Framing.require(
                    expected.documents().size() == actual.size(),
                    "documents: " + expected.documents().size(),
                    actual);
        }
    }

    private static String accessors(CommandView command) {
        StringBuilder text = new StringBuilder(command.toString());
        text.append(command.commandName()).append(command.namespace()).append(command.firstValue());
        text.append(command.replyExpected()).append(command.inTransaction());
        text.append(command.explained().map(CommandView::toString).orElse("none"));
        Set<String> identifiers = new HashSet<>(STATEMENTS);
        identifiers.addAll(command.sequenceIdentifiers());
        for (String identifier : identifiers.stream().sorted().toList()) {
            List<BsonView> statements = command.statements(identifier);
            Framing.require(
                    statements.size() >= command.sequenceSize(identifier), "all of a sequence", statements.size());
            text.append(' ').append(identifier).append(statements.size());
        }
        return text.append(names(command)).toString();
    }

    /** Names are found, and {@code hasDistinctNames} is certain where it says so. */
    private static String names(CommandView command) {
        Set<String> names = new HashSet<>();
        boolean distinct = true;
        BsonCursor cursor = command.body().cursor();
        while (cursor.next()) {
            String name = cursor.name();
            distinct &= names.add(name);
            if (cursor.nameIsAscii()) {
                Framing.require(command.get(name) != null, "a field that is found: " + name, "none");
                Framing.require(command.cursorAt(name) != null, "a field that is found: " + name, "none");
            }
        }
        Framing.require(distinct || !command.hasDistinctNames(), "a name that stands twice is noticed", names);
        return " names=" + names.size();
    }
}
