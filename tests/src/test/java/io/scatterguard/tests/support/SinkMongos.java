package io.scatterguard.tests.support;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;

/**
 * A server that keeps nothing: large requests are read, counted and acknowledged, small ones answered like a mongos that
 * shows a given catalog. For tests whose requests would not fit into the memory of a {@link ScriptedMongos}.
 */
public final class SinkMongos implements AutoCloseable {
    private static final int LARGE_BYTES = 64 * 1024;
    private static final int BUFFER_BYTES = 256 * 1024;

    private final ServerSocket listener;
    private final ScriptedCatalog catalog;
    private final ReadGate gate = new ReadGate();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong largeRequests = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private volatile boolean closed;

    private SinkMongos(ServerSocket listener, CatalogDocuments catalog) {
        this.listener = listener;
        this.catalog = new ScriptedCatalog(catalog);
    }

    public static SinkMongos start(CatalogDocuments catalog) {
        try {
            SinkMongos sink = new SinkMongos(
                    new ServerSocket(0, ScriptedMongos.BACKLOG, InetAddress.getLoopbackAddress()), catalog);
            thread(sink::acceptAll);
            return sink;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void thread(Runnable work) {
        Thread thread = new Thread(null, work, "sink-mongos", 256 * 1024);
        thread.setDaemon(true);
        thread.start();
    }

    public String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** How many large requests came whole. */
    public long largeRequests() {
        return largeRequests.get();
    }

    /** How many requests of any size came whole. */
    public long requests() {
        return requests.get();
    }

    public int openConnections() {
        return open.get();
    }

    /** Stops reading from every connection; what a read under way gets still comes in. */
    public void pauseReading() {
        gate.shut();
    }

    public void resumeReading() {
        gate.open();
    }

    private void acceptAll() {
        while (!closed) {
            try {
                Socket socket = listener.accept();
                sockets.add(socket);
                open.incrementAndGet();
                thread(() -> serve(socket));
            } catch (IOException e) {
                if (!closed) {
                    failures.add(e);
                }
            }
        }
    }

    private void serve(Socket socket) {
        AtomicInteger requestIds = new AtomicInteger(1_000_000);
        try (socket;
                InputStream in = new BufferedInputStream(gate.guard(socket.getInputStream()), BUFFER_BYTES)) {
            FrameReader frames = new FrameReader(in);
            Optional<WireHeader> header = frames.readHeader();
            while (header.isPresent()) {
                answer(frames, in, header.get(), socket, requestIds);
                header = frames.readHeader();
            }
        } catch (IOException | InterruptedException e) {
            // The peer has gone, in the middle of a message or not.
        } catch (RuntimeException e) {
            failures.add(e);
        } finally {
            open.decrementAndGet();
            sockets.remove(socket);
        }
    }

    private void answer(FrameReader frames, InputStream in, WireHeader header, Socket socket, AtomicInteger requestIds)
            throws IOException, InterruptedException {
        if (header.messageLength() > LARGE_BYTES) {
            drop(in, header.messageLength() - WireHeader.BYTES);
            largeRequests.incrementAndGet();
            requests.incrementAndGet();
            OpMsgBuilder reply = OpMsgBuilder.of(
                    requestIds.incrementAndGet(), BsonDocument.parse("{n: " + header.requestId() + ", ok: 1.0}"));
            socket.getOutputStream().write(reply.responseTo(header.requestId()).encode());
            return;
        }
        WireFrame request;
        try {
            request = frames.readRest(header);
        } catch (RuntimeException e) {
            // It was read whole, but it is no sound message: a server says so.
            requests.incrementAndGet();
            socket.getOutputStream()
                    .write(OpMsgBuilder.of(requestIds.incrementAndGet(), ReplyDocuments.error(22, "InvalidBSON", "bad"))
                            .responseTo(header.requestId())
                            .encode());
            return;
        }
        requests.incrementAndGet();
        if (request.moreToCome()) {
            return;
        }
        Reply reply = catalog.answers(request)
                ? catalog.reply(request)
                : MongosCommands.answer(request, 1, new BsonDocument());
        reply.writeTo(new ReplyWriter(request, requestIds, new ReplyWriter.Sink() {
            @Override
            public void write(byte[] bytes) throws IOException {
                socket.getOutputStream().write(bytes);
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        }));
    }

    /** Reads without keeping; {@code InputStream.skip} would go round the gate. */
    private static void drop(InputStream in, int bytes) throws IOException {
        byte[] dropped = new byte[LARGE_BYTES];
        int left = bytes;
        while (left > 0) {
            int count = in.read(dropped, 0, Math.min(left, dropped.length));
            if (count < 0) {
                throw new EOFException();
            }
            left -= count;
        }
    }

    /** Fails when a script or a socket failed. */
    @Override
    public void close() {
        closed = true;
        gate.open();
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            failures.add(e);
        }
        if (!failures.isEmpty()) {
            AssertionError error = new AssertionError("the sink failed: " + failures);
            failures.forEach(error::addSuppressed);
            throw error;
        }
    }
}
