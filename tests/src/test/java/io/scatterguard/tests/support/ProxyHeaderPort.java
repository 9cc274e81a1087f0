package io.scatterguard.tests.support;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What a mongos' {@code loadBalancerPort} is: takes only connections that begin with a PROXY header, closes any other, and
 * hands what follows to the server behind. It reads headers as strictly as a mongos does, with code of its own.
 */
public final class ProxyHeaderPort implements AutoCloseable {
    private static final byte[] V2 = {0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A};

    private final ServerSocket listener;
    private final InetSocketAddress behind;
    private final BlockingQueue<Header> headers = new LinkedBlockingQueue<>();
    private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    /**
     * What a header said.
     *
     * @param version 1 or 2
     * @param addresses {@code source destination}, each as {@code address:port}, or {@code none}
     */
    public record Header(int version, String addresses) {}

    private ProxyHeaderPort(ServerSocket listener, InetSocketAddress behind) {
        this.listener = listener;
        this.behind = behind;
    }

    /** In front of {@code mongos}, on a free port of this machine. */
    public static ProxyHeaderPort inFrontOf(ScriptedMongos mongos) {
        return inFrontOf(mongos.port());
    }

    /** In front of what listens on {@code serverPort} of this machine. */
    public static ProxyHeaderPort inFrontOf(int serverPort) {
        try {
            ServerSocket listener = new ServerSocket(0, ScriptedMongos.BACKLOG, InetAddress.getLoopbackAddress());
            InetSocketAddress behind = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
            ProxyHeaderPort port = new ProxyHeaderPort(listener, behind);
            daemon(port::acceptAll);
            return port;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** {@code 127.0.0.1:port}. */
    public String address() {
        return "127.0.0.1:" + port();
    }

    /** The header of the next connection that speaks for somebody; an error if none comes within ten seconds. */
    public Header nextOfAClient() {
        Header next = next();
        while (next.addresses().equals("none")) {
            next = next();
        }
        return next;
    }

    /** The header of the next connection, which may be nobody's; an error if none comes within ten seconds. */
    public Header next() {
        try {
            Header header = headers.poll(10, TimeUnit.SECONDS);
            if (header == null) {
                throw new AssertionError("no PROXY header came; refused: " + refusals);
            }
            return header;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Why connections were closed without being handed on. */
    public List<String> refusals() {
        return List.copyOf(refusals);
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                daemon(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed by the test.
        }
    }

    private void serve(Socket socket) {
        try (socket;
                Socket server = new Socket(behind.getAddress(), behind.getPort())) {
            sockets.add(server);
            InputStream in = socket.getInputStream();
            headers.add(readHeader(new DataInputStream(in)));
            daemon(() -> copy(server, socket));
            in.transferTo(server.getOutputStream());
        } catch (IllegalArgumentException e) {
            refusals.add(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            // A side went away.
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to;
                OutputStream out = to.getOutputStream()) {
            from.getInputStream().transferTo(out);
        } catch (IOException e) {
            // A side went away.
        }
    }

    private static Header readHeader(DataInputStream in) throws IOException {
        byte[] start = in.readNBytes(12);
        return Arrays.equals(start, V2) ? readV2(in) : readV1(start, in);
    }

    private static Header readV2(DataInputStream in) throws IOException {
        int command = in.readUnsignedByte();
        int family = in.readUnsignedByte();
        byte[] rest = in.readNBytes(in.readUnsignedShort());
        if (command == 0x20) {
            return new Header(2, "none");
        }
        int size = family == 0x11 ? 4 : 16;
        if (command != 0x21 || (family != 0x11 && family != 0x21) || rest.length != 2 * size + 4) {
            throw new IllegalArgumentException("version 2: " + command + " " + family + " " + rest.length);
        }
        return new Header(2, address(rest, 0, size, 2 * size) + " " + address(rest, size, size, 2 * size + 2));
    }

    private static String address(byte[] bytes, int at, int size, int portAt) throws IOException {
        InetAddress address = InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + size));
        int port = (bytes[portAt] & 0xFF) << 8 | (bytes[portAt + 1] & 0xFF);
        return address.getHostAddress() + ":" + port;
    }

    private static Header readV1(byte[] start, InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(start);
        for (int b = in.read(); b >= 0 && all.size() < 106; b = in.read()) {
            all.write(b);
            if (b == '\n') {
                return parseV1(all.toString(StandardCharsets.US_ASCII));
            }
        }
        throw new IllegalArgumentException("not a header: " + all.size() + " bytes");
    }

    private static Header parseV1(String line) throws IOException {
        if (line.equals("PROXY UNKNOWN\r\n")) {
            return new Header(1, "none");
        }
        String[] words = line.strip().split(" ");
        boolean inet6 = words.length == 6 && words[1].equals("TCP6");
        // A mongos counts the digits of each group.
        boolean good = inet6
                ? words[2].matches("([0-9a-f]{4}:){7}[0-9a-f]{4}") && words[3].matches("([0-9a-f]{4}:){7}[0-9a-f]{4}")
                : words.length == 6 && words[1].equals("TCP4");
        if (!good || !words[0].equals("PROXY") || !line.endsWith("\r\n")) {
            throw new IllegalArgumentException("version 1: " + line);
        }
        return new Header(
                1,
                InetAddress.getByName(words[2]).getHostAddress() + ":" + words[4] + " "
                        + InetAddress.getByName(words[3]).getHostAddress() + ":" + words[5]);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "proxy-header-port");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
