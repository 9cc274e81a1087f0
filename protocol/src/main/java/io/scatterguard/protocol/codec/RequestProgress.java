package io.scatterguard.protocol.codec;

/** What {@link RequestDecoder} tells of a request that needs a reservation, as user events of its channel. */
public enum RequestProgress {
    /** There is no room for it: nothing more is decoded until {@link #READING}. */
    WAITING,
    /** There is room, and the rest of it is read. */
    READING,
    /** It has come whole. */
    WHOLE
}
