package io.scatterguard.tests.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/** Puts TLS in front of a server of this machine that has none, so that any of them can be reached by it. */
public final class TlsTunnel implements AutoCloseable {
    private final ServerSocket listener;
    private final int port;
    private final Queue<String> serverNames = new ConcurrentLinkedQueue<>();
    private final Queue<String> clients = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile Behaviour behaviour;

    /** What the next connections meet with; {@code silent} for no answer. */
    private record Behaviour(SSLContext context, boolean clientCertificate, boolean silent, List<String> protocols) {}

    private TlsTunnel(ServerSocket listener, int port, Behaviour behaviour) {
        this.listener = listener;
        this.port = port;
        this.behaviour = behaviour;
    }

    /** In front of {@code port}; clients need no certificate. */
    public static TlsTunnel to(int port, SSLContext context) {
        return to(port, context, InetAddress.getLoopbackAddress());
    }

    /** Likewise, listening on {@code own}. */
    public static TlsTunnel to(int port, SSLContext context, InetAddress own) {
        try {
            ServerSocket listener = new ServerSocket();
            listener.bind(new InetSocketAddress(own, 0), ScriptedMongos.BACKLOG);
            TlsTunnel tunnel = new TlsTunnel(listener, port, new Behaviour(context, false, false, List.of()));
            daemon(tunnel::acceptAll);
            return tunnel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What connections meet with from now on.
     *
     * @param clientCertificate whether a client must show one
     * @param protocols the versions spoken, as Java names them; none for all
     */
    public void now(SSLContext context, boolean clientCertificate, String... protocols) {
        behaviour = new Behaviour(context, clientCertificate, false, List.of(protocols));
    }

    /** Accepts and says nothing from now on. */
    public void nowSilent() {
        behaviour = new Behaviour(null, false, true, List.of());
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** The names that were asked for by SNI, in order; "" for none. */
    public List<String> serverNames() {
        return List.copyOf(serverNames);
    }

    /** The subjects of the clients' certificates, in order; "" for none. */
    public List<String> clients() {
        return List.copyOf(clients);
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket accepted = listener.accept();
                sockets.add(accepted);
                Behaviour met = behaviour;
                if (!met.silent()) {
                    daemon(() -> serve(accepted, met));
                }
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket accepted, Behaviour met) {
        try (Socket client = handshake(accepted, met);
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
            sockets.add(server);
            server.setTcpNoDelay(true);
            daemon(() -> copy(server, client));
            copy(client, server);
        } catch (IOException e) {
            close(accepted); // The peer's affair: what it did is seen by the test at its own end.
        }
    }

    private SSLSocket handshake(Socket accepted, Behaviour met) throws IOException {
        accepted.setTcpNoDelay(true);
        SSLSocket socket = (SSLSocket) met.context()
                .getSocketFactory()
                .createSocket(accepted, null, true); // Without bytes already read: a server's side.
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setNeedClientAuth(met.clientCertificate());
        if (!met.protocols().isEmpty()) {
            parameters.setProtocols(met.protocols().toArray(String[]::new));
        }
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        remember(socket.getSession());
        return socket;
    }

    private void remember(SSLSession session) throws IOException {
        serverNames.add(((ExtendedSSLSession) session)
                .getRequestedServerNames().stream()
                        .map(name -> new String(name.getEncoded(), StandardCharsets.US_ASCII))
                        .findFirst()
                        .orElse(""));
        String client = "";
        try {
            client = session.getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            // It showed none.
        }
        clients.add(client);
    }

    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[64 * 1024];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // One end is gone, so the other goes too.
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "tls-tunnel");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.forEach(TlsTunnel::close);
    }
}
