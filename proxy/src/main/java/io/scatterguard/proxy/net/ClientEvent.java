package io.scatterguard.proxy.net;

/** What handlers in front of the session tell it, as user events of the client's channel. */
enum ClientEvent {
    /** The first request has not come whole in time. */
    HANDSHAKE_TIMED_OUT,
    /** The client sends no more, but not all it sent has been handed over. */
    ENDS,
    /** The client sends no more, and all it sent has been handed over. */
    ENDED
}
