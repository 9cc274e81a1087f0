package io.scatterguard.proxy.admin;

/** One request that can be made. Called on threads of the HTTP server: may take its time, and never waits for an event loop. */
public interface Endpoint {
    /** What is done. */
    enum Method {
        GET,
        POST
    }

    /** Who may. */
    enum Access {
        /** Anybody who reaches the address. */
        OPEN,
        /** Whoever may look into the proxy, see {@link Guard}. */
        READ,
        /** Whoever shows the token. */
        CHANGE
    }

    default Method method() {
        return Method.GET;
    }

    /** The path, for instance {@code /api/v1/status}; as it stands in the OpenAPI document. */
    String path();

    default Access access() {
        return Access.READ;
    }

    /** The largest body that is read. */
    default int maxBodyBytes() {
        return HttpServer.MAX_BODY_BYTES;
    }

    /**
     * The answer.
     *
     * @throws BadQuestionException if something about the question is wrong
     */
    Answer answer(Question question) throws BadQuestionException;
}
