package io.scatterguard.proxy.session;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.proxy.routing.RouterRelease;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** What the two sides told each other in {@code hello}: who the client is, what the server accepts and which release it is. */
final class Handshake {
    /** The largest {@code maxMessageSizeBytes} that is believed; the server's constant is 48,000,000. */
    private static final int MAX_BELIEVED_MESSAGE_BYTES = 64 * 1024 * 1024;

    /** The server refuses client metadata that is longer than this in all. */
    private static final int MAX_TEXT_CHARS = 512;

    private ClientInfo client;
    private boolean introduced;
    private RouterRelease release;
    private final boolean releaseFixed;
    private int maxMessageBytes = MessageHeader.DEFAULT_MAX_MESSAGE_BYTES;

    /** {@code fixedRelease} overrides what the server says, if it is not null. */
    Handshake(String address, @Nullable RouterRelease fixedRelease) {
        client = ClientInfo.of(address);
        releaseFixed = fixedRelease != null;
        release = fixedRelease != null ? fixedRelease : RouterRelease.DEFAULT;
    }

    ClientInfo client() {
        return client;
    }

    RouterRelease release() {
        return release;
    }

    int maxMessageBytes() {
        return maxMessageBytes;
    }

    void user(Authentication.@Nullable Identity user) {
        client = client.withUser(user == null ? null : user.name(), user == null ? null : user.database());
    }

    /** The client's metadata, which only the first {@code hello} of a connection carries; borrowed. */
    void asked(CommandView hello) {
        BsonValueView metadata = hello.get("client");
        if (introduced || metadata == null || !metadata.isDocument()) {
            return;
        }
        introduced = true;
        BsonView document = metadata.document();
        String driver = join(text(document, "driver", "name"), text(document, "driver", "version"));
        String os = text(document, "os", "name");
        client = new ClientInfo(
                client.address(),
                text(document, "application", "name"),
                driver,
                os != null ? os : text(document, "os", "type"),
                client.user(),
                client.userDatabase());
    }

    /** The server's reply. */
    void answered(BsonDocument reply) {
        Integer size = ReplyFacts.integer(reply.get("maxMessageSizeBytes"));
        if (size != null && size >= MessageHeader.SIZE_BYTES && size <= MAX_BELIEVED_MESSAGE_BYTES) {
            maxMessageBytes = size;
        }
        Integer wireVersion = ReplyFacts.integer(reply.get("maxWireVersion"));
        if (wireVersion != null && !releaseFixed) {
            release = RouterRelease.ofWireVersion(wireVersion);
        }
    }

    private static @Nullable String text(BsonView document, String outer, String inner) {
        BsonValueView value = document.get(outer);
        BsonValueView text =
                value != null && value.isDocument() ? value.document().get(inner) : null;
        if (text == null || !text.isString()) {
            return null;
        }
        String whole = text.string();
        return whole.substring(0, Math.min(whole.length(), MAX_TEXT_CHARS));
    }

    private static @Nullable String join(@Nullable String name, @Nullable String version) {
        if (name == null) {
            return version;
        }
        return version == null ? name : name + " " + version;
    }
}
