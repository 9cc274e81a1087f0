package io.scatterguard.tests.captures;

import io.scatterguard.tests.support.ScriptedMongos;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A server's port. Connections that carry the proxy's own questions are led on to a scripted mongos; what the others say is
 * up to who accepts them.
 */
final class ReplayedServer implements Closeable {
    static final int TIMEOUT_MILLIS = 30_000;

    /** What the proxy's own connections call themselves in the first message. */
    private static final String OWN_APP_NAME = "scatterguard";

    private static final int LENGTH_BYTES = 4;

    private final ServerSocket listener;
    private final ScriptedMongos metadata;
    private final BlockingQueue<Accepted> accepted = new LinkedBlockingQueue<>();
    private final List<Closeable> sockets = new ArrayList<>();

    /** A connection of which {@code in} has every byte. */
    record Accepted(Socket socket, InputStream in) {}

    private ReplayedServer(ServerSocket listener, ScriptedMongos metadata) {
        this.listener = listener;
        this.metadata = metadata;
    }

    static ReplayedServer start(ScriptedMongos metadata) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ReplayedServer server = new ReplayedServer(listener, metadata);
        server.inBackground("acceptor", server::acceptAll);
        return server;
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** The next connection that is a client's. */
    Accepted accept() {
        try {
            Accepted next = accepted.poll(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new AssertionError("timed out waiting for a connection of the proxy");
            }
            return next;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    static Socket ready(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private void acceptAll() throws IOException {
        while (true) {
            Socket socket = keep(ready(listener.accept()));
            inBackground("first-message", () -> lead(socket));
        }
    }

    private void lead(Socket socket) throws IOException {
        byte[] first = firstMessage(socket.getInputStream());
        InputStream in = new SequenceInputStream(new ByteArrayInputStream(first), socket.getInputStream());
        if (!new String(first, StandardCharsets.ISO_8859_1).contains(OWN_APP_NAME)) {
            accepted.add(new Accepted(socket, in));
            return;
        }
        socket.setSoTimeout(0);
        Socket onward = keep(new Socket(InetAddress.getLoopbackAddress(), metadata.port()));
        inBackground("requests", () -> pipe(in, onward.getOutputStream()));
        pipe(onward.getInputStream(), socket.getOutputStream());
    }

    private static byte[] firstMessage(InputStream in) throws IOException {
        byte[] length = in.readNBytes(LENGTH_BYTES);
        int size = length.length < LENGTH_BYTES
                ? 0
                : ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
        byte[] rest = in.readNBytes(Math.max(0, size - LENGTH_BYTES));
        byte[] message = Arrays.copyOf(length, length.length + rest.length);
        System.arraycopy(rest, 0, message, length.length, rest.length);
        return message;
    }

    private static void pipe(InputStream from, OutputStream to) throws IOException {
        try (to) {
            from.transferTo(to);
        }
    }

    private synchronized <T extends Closeable> T keep(T closeable) {
        sockets.add(closeable);
        return closeable;
    }

    private interface Work {
        void run() throws IOException;
    }

    /** Its end is that of its socket, whoever closes it. */
    private void inBackground(String role, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // Closed; a test that still waits for something says so.
                    }
                },
                "replayed-server-" + role);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public synchronized void close() throws IOException {
        listener.close();
        for (Closeable socket : sockets) {
            socket.close();
        }
    }
}
