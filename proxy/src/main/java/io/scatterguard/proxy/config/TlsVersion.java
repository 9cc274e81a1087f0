package io.scatterguard.proxy.config;

/** The oldest version of TLS that is spoken; what is older than 1.2 is broken and never spoken. */
public enum TlsVersion implements Choice {
    TLS1_2("TLS1.2"),
    TLS1_3("TLS1.3");

    private final String text;

    TlsVersion(String text) {
        this.text = text;
    }

    @Override
    public String text() {
        return text;
    }
}
