package io.scatterguard.proxy.tls;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** One block of a PEM file (RFC 7468). */
final class Pem {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    private final String label;
    private final byte[] der;
    private final boolean legacyEncrypted;

    private Pem(String label, byte[] der, boolean legacyEncrypted) {
        this.label = label;
        this.der = der;
        this.legacyEncrypted = legacyEncrypted;
    }

    /** What it says it is, for instance {@code CERTIFICATE}. */
    String label() {
        return label;
    }

    /** Its content, not to be changed; empty where it is {@link #legacyEncrypted()}. */
    byte[] der() {
        return der;
    }

    /** Whether it is encrypted as OpenSSL did it before PKCS#8. */
    boolean legacyEncrypted() {
        return legacyEncrypted;
    }

    /** The blocks of {@code file} in order; what stands between them is a comment. */
    static List<Pem> blocks(TlsFile file) throws TlsException {
        List<Pem> blocks = new ArrayList<>();
        String text = new String(file.bytes(), StandardCharsets.ISO_8859_1);
        for (int begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, begin)) {
            int labelEnd = text.indexOf(DASHES, begin + BEGIN.length());
            String label = labelEnd < 0 ? "" : text.substring(begin + BEGIN.length(), labelEnd);
            int end = text.indexOf(END + label + DASHES, begin);
            if (labelEnd < 0 || end < labelEnd) {
                throw file.error("a PEM block that begins and does not end (was the file copied whole?)");
            }
            blocks.add(block(file, label, text.substring(labelEnd + DASHES.length(), end)));
            begin = end;
        }
        return blocks;
    }

    private static Pem block(TlsFile file, String label, String content) throws TlsException {
        if (content.contains("Proc-Type: 4,ENCRYPTED")) {
            return new Pem(label, new byte[0], true);
        }
        try {
            return new Pem(label, Base64.getDecoder().decode(content.replaceAll("\\s", "")), false);
        } catch (IllegalArgumentException e) {
            throw file.error("its " + label + " block is not Base64 (was the file copied whole?)", e);
        }
    }

    boolean isCertificate() {
        return label.equals("CERTIFICATE") || label.equals("X509 CERTIFICATE") || label.equals("TRUSTED CERTIFICATE");
    }

    boolean isPrivateKey() {
        return label.endsWith("PRIVATE KEY");
    }

    /** What it is; never what is in it. */
    @Override
    public String toString() {
        return label;
    }
}
