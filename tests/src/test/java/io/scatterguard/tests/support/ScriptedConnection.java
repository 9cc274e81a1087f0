package io.scatterguard.tests.support;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * One connection a {@link ScriptedMongos} accepted. One thread reads and records, another answers in order: a reply that
 * is held back does not hide what the peer sends meanwhile, nor that it went away.
 */
public final class ScriptedConnection {
    private final int number;
    private final Socket socket;
    private final RequestLog log;
    private final ReadGate gate;
    private final Function<WireFrame, Reply> script;
    private final List<WireFrame> received = new ArrayList<>();
    private final BlockingQueue<Optional<WireFrame>> unanswered = new LinkedBlockingQueue<>();
    private final AtomicInteger requestIds;
    private final Thread reader;
    private final Thread responder;
    private volatile boolean open = true;

    ScriptedConnection(int number, Socket socket, RequestLog log, ReadGate gate, Function<WireFrame, Reply> script) {
        this.number = number;
        this.socket = socket;
        this.log = log;
        this.gate = gate;
        this.script = script;
        // Far from what clients count from, so that a mixed-up responseTo shows.
        requestIds = new AtomicInteger(1_000_000 * number);
        reader = thread("reader", this::readAll);
        responder = thread("responder", this::answerAll);
    }

    void start() {
        reader.start();
        responder.start();
    }

    /** 1 for the first connection the server accepted, and so on. */
    public int number() {
        return number;
    }

    /** Every message received on this connection so far, in order. */
    public List<WireFrame> received() {
        return log.copyOf(received);
    }

    /** Whether neither side has closed, as far as this side was told. */
    public boolean isOpen() {
        return open;
    }

    /** Sends bytes that answer nothing, at once. */
    public void push(byte[] bytes) {
        try {
            write(bytes);
        } catch (IOException e) {
            throw new AssertionError("connection " + number + " cannot send: " + e.getMessage(), e);
        }
    }

    /** Closes the connection from the server's side. */
    public void close() {
        log.change(() -> open = false);
        responder.interrupt();
        try {
            socket.close();
        } catch (IOException e) {
            log.fail(e);
        }
    }

    private void readAll() {
        try {
            FrameReader frames = new FrameReader(gate.guard(socket.getInputStream()));
            Optional<WireFrame> frame;
            do {
                frame = frames.read();
                frame.ifPresent(request -> log.record(request, received));
                unanswered.add(frame);
            } while (frame.isPresent());
            log.change(() -> open = false);
        } catch (IOException e) {
            close(); // In the middle of a message, or by a reset: there is nobody left to answer.
        } catch (RuntimeException e) {
            log.fail(e);
            close();
        }
    }

    /** Answers everything that came before the peer's end of the stream, as a server does that reads one by one. */
    private void answerAll() {
        try {
            for (Optional<WireFrame> next = unanswered.take(); next.isPresent(); next = unanswered.take()) {
                answer(next.get());
            }
        } catch (InterruptedException | IOException e) {
            // Closed while a reply was held back, or while there was nothing to answer; or the peer reads no more.
        } catch (RuntimeException e) {
            log.fail(e);
        } finally {
            close();
        }
    }

    private void answer(WireFrame request) throws IOException, InterruptedException {
        Reply reply = script.apply(request);
        if (!request.moreToCome()) {
            reply.writeTo(new ReplyWriter(request, requestIds, sink()));
        }
    }

    private ReplyWriter.Sink sink() {
        return new ReplyWriter.Sink() {
            @Override
            public void write(byte[] bytes) throws IOException {
                ScriptedConnection.this.write(bytes);
            }

            @Override
            public void close() {
                ScriptedConnection.this.close();
            }
        };
    }

    private void write(byte[] bytes) throws IOException {
        synchronized (socket) {
            socket.getOutputStream().write(bytes);
        }
    }

    private Thread thread(String role, Runnable work) {
        Thread thread = new Thread(work, "scripted-mongos-" + number + "-" + role);
        thread.setDaemon(true);
        return thread;
    }
}
