package io.scatterguard.tests.support;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * A wire client that does exactly what it is told: several messages in one write, half a message, slow reading, half a
 * close. Not for use by two threads. Whatever is awaited and does not come within the timeout is an AssertionError.
 */
public final class RawClient implements AutoCloseable {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final int READ_AHEAD_BYTES = 64 * 1024;

    private final Socket socket;
    private final InputStream in;
    private final FrameReader frames;
    private int lastRequestId;

    private RawClient(Socket socket) throws IOException {
        this(socket, socket.getInputStream());
    }

    private RawClient(Socket socket, InputStream in) throws IOException {
        this.socket = socket;
        this.in = in;
        frames = new FrameReader(in);
        timeout(DEFAULT_TIMEOUT);
    }

    /** Connects to a port of this machine. */
    public static RawClient connect(int port) {
        return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** Connects to {@code address} by TLS; the handshake is done when this returns. */
    public static RawClient connect(InetSocketAddress address, SSLContext tls) throws IOException {
        return connect(address, tls, 0);
    }

    /** Likewise, with a receive buffer of about {@code receiveBufferBytes} (0: the system's). */
    public static RawClient connect(InetSocketAddress address, SSLContext tls, int receiveBufferBytes)
            throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket();
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) DEFAULT_TIMEOUT.toMillis());
        try {
            socket.connect(address, (int) DEFAULT_TIMEOUT.toMillis());
            socket.startHandshake();
            return new RawClient(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** What was agreed on, of a client that was connected by TLS. */
    public SSLSession tlsSession() {
        return ((SSLSocket) socket).getSession();
    }

    public static RawClient connect(InetSocketAddress address) {
        return connect(address, 0);
    }

    /** Connects with a receive buffer of about {@code receiveBufferBytes}, so that a slow reader is felt soon. */
    public static RawClient connect(InetSocketAddress address, int receiveBufferBytes) {
        Socket socket = new Socket();
        try {
            if (receiveBufferBytes > 0) {
                socket.setReceiveBufferSize(receiveBufferBytes);
            }
            socket.setTcpNoDelay(true);
            socket.connect(address, (int) DEFAULT_TIMEOUT.toMillis());
            return new RawClient(socket);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + address, e);
        }
    }

    /**
     * This connection from now on by a client that takes what has come in large pieces, for very many small messages; how
     * slowly it reads is no longer felt.
     */
    public RawClient readingAhead() {
        try {
            RawClient ahead = new RawClient(socket, new BufferedInputStream(in, READ_AHEAD_BYTES));
            ahead.lastRequestId = lastRequestId;
            return ahead;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How long one receive may take from now on; 30 seconds unless set. */
    public RawClient timeout(Duration timeout) {
        try {
            socket.setSoTimeout((int) timeout.toMillis());
            return this;
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts an OP_MSG with the next requestId of this client. */
    public OpMsgBuilder msg(BsonDocument body) {
        lastRequestId++;
        return OpMsgBuilder.of(lastRequestId, body);
    }

    /** Starts an OP_QUERY on {@code admin.$cmd} with the next requestId of this client. */
    public OpQueryBuilder query(BsonDocument command) {
        lastRequestId++;
        return OpQueryBuilder.of(lastRequestId, command);
    }

    /** Sends all messages by one write, so that the peer may find them in one packet. */
    public void send(RawMessage... messages) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (RawMessage message : messages) {
            all.writeBytes(message.encode());
        }
        sendBytes(all.toByteArray());
    }

    /** Sends bytes as they are; blocks while the peer does not read. */
    public void sendBytes(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new AssertionError("cannot send " + bytes.length + " bytes: " + e.getMessage(), e);
        }
    }

    /** The next whole message. */
    public WireFrame receive() {
        return awaited("a message", () -> frames.read().orElseThrow(EOFException::new));
    }

    /** The next whole message; empty if the peer closes, in whatever way, before one has come whole. */
    public Optional<WireFrame> receiveOrEnd() {
        return awaited("a message or the end of the connection", () -> {
            try {
                return frames.read();
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (EOFException | SocketException e) {
                return Optional.empty();
            }
        });
    }

    /** Reads up to {@code count} bytes that come within {@code patience}; none, or a close, is no error. */
    public void receiveSome(int count, Duration patience) {
        try {
            socket.setSoTimeout((int) patience.toMillis());
            in.readNBytes(count);
            socket.setSoTimeout((int) DEFAULT_TIMEOUT.toMillis());
        } catch (IOException e) {
            // Nothing came, or the peer has gone: whoever calls this does not mind.
        }
    }

    /** The next sixteen bytes; what follows them is read by {@link #receiveRest} or {@link #readBytes}. */
    public WireHeader receiveHeaderOnly() {
        return awaited("a header", () -> frames.readHeader().orElseThrow(EOFException::new));
    }

    public WireFrame receiveRest(WireHeader header) {
        return awaited("the rest of a message", () -> frames.readRest(header));
    }

    /** The next {@code count} bytes; called with small counts, it makes this a slow reader. */
    public byte[] readBytes(int count) {
        return awaited(count + " bytes", () -> {
            byte[] bytes = in.readNBytes(count);
            if (bytes.length < count) {
                throw new EOFException("after " + bytes.length + " of them");
            }
            return bytes;
        });
    }

    /** Sends {@code command}, which names its {@code $db}, and returns the reply document; its responseTo is checked. */
    public BsonDocument command(BsonDocument command) {
        OpMsgBuilder request = msg(command);
        send(request);
        WireFrame reply = receive();
        if (reply.responseTo() != request.requestId()) {
            throw new AssertionError(
                    "responseTo: " + reply.responseTo() + " (expected: " + request.requestId() + ") in " + reply);
        }
        return reply.body();
    }

    /** Sends {@code {name: 1, $db: "admin"}} and returns the reply document. */
    public BsonDocument adminCommand(String name) {
        return command(new BsonDocument(name, new BsonInt32(1)).append("$db", new BsonString("admin")));
    }

    /** Ends this side's stream; what the peer still sends can be received. */
    public void halfClose() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the peer to close; a byte that comes instead is an AssertionError. */
    public void expectClosed() {
        int next = awaited("the end of the connection", () -> {
            try {
                return in.read();
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (SocketException e) {
                return -1; // A reset is a close too.
            }
        });
        if (next >= 0) {
            throw new AssertionError("received byte 0x" + Integer.toHexString(next) + " (expected: connection closed)");
        }
    }

    /** Drops the connection by a reset, as a killed process or a firewall does. */
    public void reset() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes the connection, as an application does that ends; does nothing the second time. */
    public void hangUp() {
        close();
    }

    /** The port this client's end is bound to, to find its connection at a server. */
    public int localPort() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T awaited(String what, Read<T> read) {
        try {
            return read.run();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("timed out waiting for " + what, e);
        } catch (EOFException | SocketException e) {
            throw new AssertionError("connection closed while waiting for " + what + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Read<T> {
        T run() throws IOException;
    }
}
