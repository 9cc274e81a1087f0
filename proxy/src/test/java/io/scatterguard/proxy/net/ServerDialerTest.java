package io.scatterguard.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.scatterguard.proxy.session.Session;
import io.scatterguard.proxy.session.SessionFixture;
import io.scatterguard.proxy.upstream.Upstream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for a server that is not known yet. */
class ServerDialerTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final EventLoops loops = EventLoops.createNio();
    private final HostResolver resolver = new HostResolver();
    private final NioSocketChannel client = new NioSocketChannel();
    private final CompletableFuture<List<InetSocketAddress>> servers = new CompletableFuture<>();
    private final Session session = SessionFixture.session();

    @AfterEach
    void stop() {
        SessionFixture.closeAll();
        client.close().syncUninterruptibly();
        resolver.close();
        loops.close();
    }

    private void dial() {
        loops.group().register(client).syncUninterruptibly();
        TlsSettings tls = new TlsSettings(null, null, LONG, new HandshakeSlots(1));
        ListenerSettings settings = new ListenerSettings(
                new InetSocketAddress(0),
                new Awaited(),
                new ClientTimeouts(LONG, LONG, LONG, LONG),
                LONG,
                new ProxyProtocolSettings(null, ServerPreface.NONE),
                tls);
        new ServerDialer(client, settings, loops, UnpooledByteBufAllocator.DEFAULT, resolver).dial(session);
    }

    @Test
    void aClientThatHasGoneWaitsNoLonger() {
        dial();
        assertThat(servers).isNotDone();
        client.close().syncUninterruptibly();
        assertThat(servers).isCancelled();
    }

    /** Whatever goes wrong with what was waited for, the client is not left waiting. */
    @Test
    void aFaultAfterTheWaitEndsTheSession() throws Exception {
        dial();
        servers.complete(List.of());
        client.eventLoop().submit(() -> {}).get(10, TimeUnit.SECONDS);
        assertThat(session.isClosed()).isTrue();
    }

    private final class Awaited implements Upstream {
        @Override
        public CompletableFuture<List<InetSocketAddress>> servers(int clientHash) {
            return servers;
        }

        @Override
        public Binding bind(InetSocketAddress server, LossListener listener) {
            throw new AssertionError("nothing was connected");
        }

        @Override
        public String status() {
            return "nothing is known";
        }

        @Override
        public void close() {}
    }
}
