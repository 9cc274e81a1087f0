package io.scatterguard.proxy.reports;

/** How text is marked on a terminal. */
public enum Colours {
    OFF("", "", ""),
    ANSI("\u001b[31;1m", "\u001b[1m", "\u001b[0m");

    private final String alarming;
    private final String strong;
    private final String end;

    Colours(String alarming, String strong, String end) {
        this.alarming = alarming;
        this.strong = strong;
        this.end = end;
    }

    /** What somebody has to look at. */
    public String alarming(String text) {
        return alarming + text + end;
    }

    /** What catches the eye. */
    public String strong(String text) {
        return strong + text + end;
    }
}
