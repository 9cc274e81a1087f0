package io.scatterguard.proxy.config;

/** A text that nothing prints: a password. */
public final class Secret {
    private final String text;

    private Secret(String text) {
        this.text = text;
    }

    /** Hides {@code text}. */
    public static Secret of(String text) {
        return new Secret(text);
    }

    /** The text itself; only for whoever opens something with it. */
    public String reveal() {
        return text;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Secret other && text.equals(other.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }
}
