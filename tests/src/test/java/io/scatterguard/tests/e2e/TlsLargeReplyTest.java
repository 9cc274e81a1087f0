package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.SslProvider;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.tls.TlsOptions;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.PeakAllocator;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.ScriptedMongos;
import io.scatterguard.tests.support.TestPki;
import io.scatterguard.tests.support.TlsProxy;
import io.scatterguard.tests.support.TlsProxy.Setup;
import io.scatterguard.tests.support.TlsTunnel;
import io.scatterguard.tests.support.WireHeader;
import java.io.IOException;
import java.nio.file.Path;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory while much passes through TLS on both sides, counted at the allocator. */
@ExtendWith(BlockHoundExtension.class)
class TlsLargeReplyTest {
    private static final int SIXTEEN_MEBIBYTES = 16 * 1024 * 1024;
    private static final int BOUND_BYTES = 512 * 1024;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void aSixteenMebibyteReplyPassesInLittleMemoryThoughTheClientIsSlow(SslProvider provider) throws IOException {
        PeakAllocator allocator = new PeakAllocator();
        TestPki pki = new TestPki(folder, "large");
        try (ScriptedMongos mongos = ScriptedMongos.start();
                TlsTunnel tunnel = TlsTunnel.to(mongos.port(), pki.context(pki.server()))) {
            mongos.always("insert", Reply.json("{ok: 1, n: 1}"));
            mongos.always("find", Reply.cursorOfBytes("shop.orders", SIXTEEN_MEBIBYTES));
            Setup setup = Setup.inFrontOf("localhost:" + tunnel.port())
                    .server("ca: " + pki.caFile())
                    .listener(pki.combinedFile("server.pem", pki.server()))
                    .parts(RuntimeParts.standard()
                            .withAllocator(allocator)
                            .withTls(new TlsOptions(
                                    provider, TlsOptions.standard().reloadInterval())));
            try (TlsProxy proxy = TlsProxy.start(setup);
                    RawClient client = RawClient.connect(proxy.runtime().address(), pki.context(null), 16 * 1024)) {
                client.adminCommand("ping");
                allocator.resetPeak();
                client.send(client.msg(
                        BsonDocument.parse("{find: 'orders', filter: {customerId: 7, orderId: 1}, $db: 'shop'}")));
                WireHeader header = client.receiveHeaderOnly();
                int left = header.messageLength() - WireHeader.BYTES;
                while (left > 0) {
                    int part = Math.min(left, 10_000);
                    client.readBytes(part);
                    left -= part;
                }
                System.out.printf(
                        "16 MiB reply by TLS, %s: at most %,d bytes of buffers at once (bound: %,d)%n",
                        provider, allocator.peakBytes(), BOUND_BYTES);
                assertThat(allocator.peakBytes()).isBetween(1L, (long) BOUND_BYTES);
                assertThat(client.adminCommand("ping").getNumber("ok").intValue())
                        .isEqualTo(1);
                assertThat(client.command(new BsonDocument("insert", new BsonString("orders"))
                                        .append("$db", new BsonString("shop"))
                                        .append(
                                                "documents",
                                                new org.bson.BsonArray(java.util.List.of(
                                                        new BsonDocument("customerId", new BsonInt32(1))
                                                                .append("orderId", new BsonInt32(1))
                                                                .append("blob", new BsonBinary(new byte[8 << 20]))))))
                                .getNumber("ok")
                                .intValue())
                        .as("8 MiB the other way")
                        .isEqualTo(1);
            }
        }
    }
}
