package io.scatterguard.proxy.policy;

/** What is done with a command; the stricter, the later. */
public enum Action {
    /** Forwarded, no finding. */
    ALLOW("allow"),
    /** Forwarded, a finding. */
    LOG("log"),
    /** Answered with the refusal; in observe mode forwarded, a finding that says so. */
    REFUSE("refuse");

    private final String text;

    Action(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
