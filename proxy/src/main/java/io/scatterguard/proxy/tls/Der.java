package io.scatterguard.proxy.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** The little of DER that turns the private keys older tools write into PKCS#8, which Java reads. */
final class Der {
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_ID = 0x06;
    /** {@code ECPrivateKey.parameters} of RFC 5915. */
    private static final int EC_PARAMETERS = 0xA0;

    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
    /** rsaEncryption 1.2.840.113549.1.1.1, NULL. */
    private static final byte[] RSA = {
        0x06, 0x09, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00
    };
    /** id-ecPublicKey 1.2.840.10045.2.1. */
    private static final byte[] EC = {0x06, 0x07, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x02, 0x01};

    private Der() {}

    /** PKCS#8 of an {@code RSAPrivateKey} (PKCS#1, RFC 8017). */
    static byte[] ofRsa(byte[] pkcs1) {
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, RSA), element(OCTET_STRING, pkcs1));
    }

    /**
     * PKCS#8 of an {@code ECPrivateKey} (SEC 1, RFC 5915).
     *
     * @throws IllegalArgumentException if it does not name its curve
     */
    static byte[] ofEc(byte[] sec1) {
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, EC, curve(sec1)), element(OCTET_STRING, sec1));
    }

    /** The object identifier of the curve: the outer sequence holds a version, the key, then [0] with it. */
    private static byte[] curve(byte[] sec1) {
        try {
            int at = content(sec1, 0, SEQUENCE);
            while (at < sec1.length) {
                int start = contentStart(sec1, at);
                int end = start + length(sec1, at);
                if ((sec1[at] & 0xFF) == EC_PARAMETERS && sec1[start] == OBJECT_ID) {
                    return Arrays.copyOfRange(sec1, start, end);
                }
                at = end;
            }
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("not DER", e);
        }
        throw new IllegalArgumentException("names no curve");
    }

    private static int content(byte[] der, int at, int tag) {
        if ((der[at] & 0xFF) != tag) {
            throw new IllegalArgumentException("not DER");
        }
        return contentStart(der, at);
    }

    private static int contentStart(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7F);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xFF;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7F); i++) {
            length = (length << 8) | (der[at + 2 + i] & 0xFF);
        }
        if (length < 0 || length > der.length) {
            throw new IllegalArgumentException("not DER");
        }
        return length;
    }

    private static byte[] element(int tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 5);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            int bytes = length < 0x100 ? 1 : length < 0x1_0000 ? 2 : 3;
            out.write(0x80 | bytes);
            for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
                out.write(length >>> shift);
            }
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
