package io.scatterguard.tests.captures;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.tests.captures.Capture.Direction;
import io.scatterguard.tests.captures.Capture.Read;
import io.scatterguard.tests.captures.ReplayedServer.Accepted;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Both sides of a capture, played in the order of the recording: a read of the server's is sent once the server has received
 * every message that was recorded before it, and what a side receives is compared with what the other sent.
 */
final class Replay implements AutoCloseable {
    private final Capture capture;
    private final InetSocketAddress proxy;
    private final ReplayedServer server;
    private final Map<Integer, Connection> connections = new LinkedHashMap<>();
    private int messages;

    Replay(Capture capture, InetSocketAddress proxy, ReplayedServer server) {
        this.capture = capture;
        this.proxy = proxy;
        this.server = server;
    }

    /** The requests that were sent so far. */
    int messages() {
        return messages;
    }

    void play() throws IOException {
        for (Read read : capture.reads()) {
            Connection connection = connections.get(read.connection());
            if (connection == null) {
                connection = new Connection(read.connection());
                connections.put(read.connection(), connection);
            }
            connection.play(read);
        }
        for (Connection connection : connections.values()) {
            connection.end();
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections.values()) {
            connection.close();
        }
    }

    /** One connection of the capture: a client's socket and, from its first message on, the server's. */
    private final class Connection {
        private final Socket client;
        private @Nullable Accepted atServer;
        private final Passage requests;
        private final Passage replies;

        Connection(int number) throws IOException {
            client = ReplayedServer.ready(new Socket(proxy.getAddress(), proxy.getPort()));
            requests = new Passage(capture.stream(number, Direction.TO_SERVER));
            replies = new Passage(capture.stream(number, Direction.TO_CLIENT));
        }

        void play(Read read) throws IOException {
            if (read.direction() == Direction.TO_SERVER) {
                client.getOutputStream().write(read.bytes());
                requests.sent(read.bytes().length);
                if (atServer == null && requests.due() > 0) {
                    atServer = server.accept();
                }
                if (atServer != null) {
                    messages += requests.receive(atServer.in());
                }
            } else {
                assertThat(atServer).as("a server that was asked").isNotNull();
                atServer.socket().getOutputStream().write(read.bytes());
                replies.sent(read.bytes().length);
                replies.receive(client.getInputStream());
            }
        }

        /** The client goes; nothing may come after what was recorded. */
        void end() throws IOException {
            assertThat(requests.isOver() && replies.isOver())
                    .as("everything was received")
                    .isTrue();
            client.shutdownOutput();
            if (atServer != null) {
                assertThat(atServer.in().read()).as("the end of requests").isEqualTo(-1);
            }
        }

        void close() throws IOException {
            client.close();
        }
    }
}
