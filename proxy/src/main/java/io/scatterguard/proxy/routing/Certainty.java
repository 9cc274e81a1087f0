package io.scatterguard.proxy.routing;

/** Whether the predicted set is what the router contacts, or only contains it. */
public enum Certainty {
    EXACT("exact"),
    UPPER_BOUND("upperBound");

    private final String text;

    Certainty(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
