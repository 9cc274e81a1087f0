package io.scatterguard.proxy.admin;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.util.JavalinException;
import io.scatterguard.proxy.config.HostAndPort;
import java.io.IOException;
import java.util.List;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers HTTP on one address, with few threads of its own and everything bounded. */
public final class HttpServer implements AutoCloseable {
    /** The largest body of a request to most endpoints, see {@link Endpoint#maxBodyBytes}. */
    public static final int MAX_BODY_BYTES = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

    private static final int MAX_THREADS = 8;
    private static final int MIN_THREADS = 2;
    private static final int THREAD_IDLE_MILLIS = 60_000;
    private static final int MAX_CONNECTIONS = 100;
    private static final int IDLE_MILLIS = 10_000;
    private static final int MAX_HEADER_BYTES = 8 * 1024;
    private static final long STOP_MILLIS = 1_000;

    private final Javalin javalin;
    private final String host;

    private HttpServer(Javalin javalin, String host) {
        this.javalin = javalin;
        this.host = host;
    }

    /**
     * Binds and starts to answer.
     *
     * @param name begins the names of its threads
     * @throws IOException if the address cannot be bound; the message names it
     */
    public static HttpServer start(String name, HostAndPort bind, Guard guard, List<Endpoint> endpoints)
            throws IOException {
        Javalin javalin = Javalin.create(config -> {
            configure(config, name);
            config.jetty.modifyServer(server -> listenOn(server, bind));
            endpoints.forEach(endpoint -> route(config, guard, endpoint));
        });
        try {
            javalin.start();
        } catch (JavalinException e) {
            stop(javalin);
            throw new IOException(
                    "cannot listen on " + bind + " for " + name + " (is another process using the port?)", e);
        }
        return new HttpServer(javalin, bind.host());
    }

    private static void configure(JavalinConfig config, String name) {
        QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS, THREAD_IDLE_MILLIS);
        threads.setName("scatterguard-" + name);
        threads.setDaemon(true);
        config.jetty.threadPool = threads;
        config.jetty.modifyHttpConfiguration(http -> {
            http.setSendServerVersion(false);
            http.setRequestHeaderSize(MAX_HEADER_BYTES);
        });
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.routes.error(404, context -> write(context, Answer.error(404, "no such path (see docs/http.md)")));
        config.routes.error(405, context -> write(context, Answer.error(405, "not by this method")));
        config.routes.exception(Exception.class, HttpServer::failed);
    }

    private static void listenOn(Server server, HostAndPort bind) {
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost(bind.host());
        connector.setPort(bind.port());
        connector.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, connector));
        server.setStopTimeout(STOP_MILLIS);
    }

    private static void route(JavalinConfig config, Guard guard, Endpoint endpoint) {
        HandlerType method = endpoint.method() == Endpoint.Method.POST ? HandlerType.POST : HandlerType.GET;
        config.routes.addHttpHandler(
                method, endpoint.path(), context -> write(context, answer(guard, endpoint, context)));
    }

    private static Answer answer(Guard guard, Endpoint endpoint, Context context) {
        Question question = new Asked(context, endpoint.maxBodyBytes());
        Answer refusal = guard.refusal(endpoint.access(), question);
        if (refusal != null) {
            return refusal;
        }
        try {
            return endpoint.answer(question);
        } catch (BadQuestionException e) {
            return e.answer();
        }
    }

    private static void write(Context context, Answer answer) {
        if (answer.status() >= Answer.BAD_REQUEST) {
            UnreadBody.drain(context.req());
        }
        context.status(answer.status())
                .contentType(answer.contentType())
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .result(answer.body());
        if (answer.status() == Answer.UNAUTHORIZED) {
            context.header("WWW-Authenticate", "Bearer");
        }
    }

    /** Its message may quote what was asked: the log gets the place only, whoever asked neither. */
    private static void failed(Exception error, Context context) {
        StackTraceElement[] stack = error.getStackTrace();
        LOG.error(
                "internal error while answering: path={} error={} at={}",
                context.path(),
                error.getClass().getName(),
                stack.length == 0 ? "unknown" : stack[0]);
        write(context, Answer.error(Answer.INTERNAL_ERROR, "internal error: see the log of the proxy"));
    }

    /** The address it listens on, with the port that was taken. */
    public HostAndPort address() {
        return new HostAndPort(host, javalin.port());
    }

    @Override
    public void close() {
        stop(javalin);
    }

    /** Clients that keep their connection may hold it up: then it ends without them, and whoever closes it goes on. */
    private static void stop(Javalin javalin) {
        try {
            javalin.stop();
        } catch (JavalinException e) {
            LOG.info("HTTP connections were cut off at the end: error={}", String.valueOf(e.getMessage()));
        }
    }
}
