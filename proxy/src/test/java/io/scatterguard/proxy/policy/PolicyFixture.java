package io.scatterguard.proxy.policy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.ConfigReader;
import java.time.Instant;
import java.util.Map;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Policies, commands and clients as a test writes them. */
final class PolicyFixture {
    static final long VERSION = 7;
    static final Instant NOW = Instant.parse("2026-12-15T12:00:00Z");
    static final ClientInfo CLIENT = ClientInfo.of("10.0.0.1:5000");

    private static final int OP_MSG = 2013;

    private PolicyFixture() {}

    /** The policy of the {@code policy} section {@code yaml}, in flow style without its braces. */
    static CompiledPolicy policy(String yaml) {
        return policy(yaml, OnUnknown.ALLOW);
    }

    static CompiledPolicy policy(String yaml, OnUnknown onUnknown) {
        String file = "listeners: [{upstream: {hosts: [a]}}]\npolicy: {" + yaml + "}\n";
        return CompiledPolicy.compile(ConfigReader.read(file, Map.of()).policy(), onUnknown, VERSION);
    }

    static CommandView command(String json) {
        return CommandView.of("shop", BsonView.encode(BsonDocument.parse(json)));
    }

    /** A command to which no reply is expected, as write concern {@code w: 0} sends it. */
    static CommandView unacknowledged(String json) {
        byte[] body = BsonView.encode(BsonDocument.parse(json)).toByteArray();
        ByteBuf bytes = Unpooled.buffer();
        bytes.writeIntLE(16 + 4 + 1 + body.length).writeIntLE(1).writeIntLE(0).writeIntLE(OP_MSG);
        bytes.writeIntLE(OpMsg.MORE_TO_COME).writeByte(0).writeBytes(body);
        return CommandView.of((OpMsg) WireMessage.decode(bytes));
    }

    static ClientInfo client(@Nullable String appName, @Nullable String user) {
        return new ClientInfo("10.0.0.1:5000", appName, null, null, user);
    }

    /** {@code refuse/rule}, {@code log!/default} where it would have been refused, with rule and exemption in brackets. */
    static String text(Verdict verdict) {
        return verdict.action().text()
                + (verdict.wouldRefuse() ? "!" : "")
                + "/"
                + verdict.reason()
                + (verdict.rule() == null ? "" : "[" + verdict.rule() + "]")
                + (verdict.exemption() == null ? "" : "(" + verdict.exemption() + ")");
    }
}
