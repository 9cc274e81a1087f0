package io.scatterguard.tests.fuzz.wire;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.DocumentSequence;
import io.scatterguard.protocol.wire.MalformedOpMsg;
import io.scatterguard.protocol.wire.OpCompressed;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.OpQuery;
import io.scatterguard.protocol.wire.OpReply;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.protocol.wire.WireMessage;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** All that a decoded message says, as text: two messages say the same exactly if their texts are equal. */
final class MessageText {
    private MessageText() {}

    /** The text of {@code message}, which is borrowed. */
    static String of(WireMessage message) {
        StringBuilder text = new StringBuilder(message.toString());
        if (message instanceof OpMsg msg) {
            text.append(" flagBits=").append(msg.flagBits()).append(" body=").append(hex(msg.body()));
            for (DocumentSequence sequence : msg.sequences()) {
                text.append(' ').append(sequence.identifier()).append('=').append(sequence.size());
                sequence.forEach(document -> text.append(',').append(hex(document)));
            }
        } else if (message instanceof OpQuery query) {
            text.append(" flags=").append(query.flags()).append(" on ").append(query.fullCollectionName());
            text.append(" query=").append(hex(query.query()));
        } else if (message instanceof OpReply reply) {
            text.append(" numberReturned=").append(reply.numberReturned()).append(' ');
            text.append(hex(reply.document()));
        } else if (message instanceof MalformedOpMsg malformed) {
            text.append(malformed.code()).append(malformed.codeName()).append(malformed.errmsg());
        } else if (message instanceof OpCompressed compressed) {
            text.append(" originalOpCode=").append(compressed.originalOpCode());
            text.append(" uncompressedSize=").append(compressed.uncompressedSize());
            text.append(" compressorId=").append(compressed.compressorId());
        }
        return text.append(" command=").append(commandName(message)).toString();
    }

    /** The name of the command as the proxy reads it; empty where it reads none. */
    static String commandName(WireMessage message) {
        try {
            if (message instanceof OpMsg msg) {
                return CommandView.of(msg).name();
            }
            return message instanceof OpQuery query && query.isCommand()
                    ? CommandView.of(query).name()
                    : "";
        } catch (ProtocolException | MalformedBsonException e) {
            return "none: " + e.getMessage();
        }
    }

    private static String hex(@Nullable BsonView document) {
        return document == null ? "none" : HexFormat.of().formatHex(document.toByteArray());
    }
}
