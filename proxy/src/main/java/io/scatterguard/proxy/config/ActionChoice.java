package io.scatterguard.proxy.config;

/** What the configuration wants done with a command; the stricter, the later. */
public enum ActionChoice implements Choice {
    ALLOW("allow"),
    LOG("log"),
    /** Refused above a rate, logged below it; never delayed. */
    THROTTLE("throttle"),
    REFUSE("refuse");

    private final String text;

    ActionChoice(String text) {
        this.text = text;
    }

    @Override
    public String text() {
        return text;
    }
}
