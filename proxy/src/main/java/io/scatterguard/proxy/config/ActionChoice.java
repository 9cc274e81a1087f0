package io.scatterguard.proxy.config;

/** What the configuration wants done with a command. */
public enum ActionChoice implements Choice {
    ALLOW("allow"),
    LOG("log"),
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
