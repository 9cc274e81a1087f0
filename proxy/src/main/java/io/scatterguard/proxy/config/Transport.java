package io.scatterguard.proxy.config;

/** How sockets are driven. */
public enum Transport implements Choice {
    /** The system's own way where it is there, Java's elsewhere. */
    AUTO("auto"),
    NIO("nio");

    private final String text;

    Transport(String text) {
        this.text = text;
    }

    @Override
    public String text() {
        return text;
    }
}
