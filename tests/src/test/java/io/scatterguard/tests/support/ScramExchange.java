package io.scatterguard.tests.support;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The server's side of one SCRAM conversation (RFC 5802, 7677), with MongoDB's digest of passwords for SHA-1. */
final class ScramExchange {
    /** The least that drivers accept. */
    private static final int ITERATIONS = 4096;

    private static final byte[] SALT = "sixteen of bytes".getBytes(StandardCharsets.US_ASCII);
    private static final String SERVER_NONCE = "the-server's-part-of-the-nonce";

    private final String hash;
    private final String password;
    private final String clientFirstBare;
    private final String nonce;

    private ScramExchange(String hash, String password, String clientFirstBare, String nonce) {
        this.hash = hash;
        this.password = password;
        this.clientFirstBare = clientFirstBare;
        this.nonce = nonce;
    }

    /** The name in a client's first message, {@code n,,n=name,r=nonce}. */
    static String userName(byte[] clientFirst) {
        return fields(bare(clientFirst))
                .getOrDefault("n", "")
                .replace("=2C", ",")
                .replace("=3D", "=");
    }

    /** Starts with the client's first message. */
    static ScramExchange start(String mechanism, ScriptedUser user, byte[] clientFirst) {
        boolean sha1 = mechanism.equals("SCRAM-SHA-1");
        String password = sha1 ? mongoDigest(user) : user.password();
        String bare = bare(clientFirst);
        return new ScramExchange(
                sha1 ? "SHA-1" : "SHA-256", password, bare, fields(bare).get("r") + SERVER_NONCE);
    }

    byte[] serverFirst() {
        return utf8("r=" + nonce + ",s=" + Base64.getEncoder().encodeToString(SALT) + ",i=" + ITERATIONS);
    }

    /** The server's last message, if the client's proves that it knows the password. */
    Optional<byte[]> serverFinal(byte[] clientFinal) {
        String message = new String(clientFinal, StandardCharsets.UTF_8);
        Map<String, String> fields = fields(message);
        if (!nonce.equals(fields.get("r")) || !fields.containsKey("p")) {
            return Optional.empty();
        }
        String withoutProof = message.substring(0, message.lastIndexOf(",p="));
        byte[] signed =
                utf8(clientFirstBare + "," + new String(serverFirst(), StandardCharsets.UTF_8) + "," + withoutProof);
        byte[] salted = saltedPassword();
        byte[] clientKey = hmac(salted, utf8("Client Key"));
        byte[] clientProof = xor(clientKey, hmac(digest(hash, clientKey), signed));
        if (!MessageDigest.isEqual(clientProof, Base64.getDecoder().decode(fields.get("p")))) {
            return Optional.empty();
        }
        byte[] signature = hmac(hmac(salted, utf8("Server Key")), signed);
        return Optional.of(utf8("v=" + Base64.getEncoder().encodeToString(signature)));
    }

    /** PBKDF2 with one block, which is all that these hashes need. */
    private byte[] saltedPassword() {
        byte[] block = hmac(utf8(password), concat(SALT, new byte[] {0, 0, 0, 1}));
        byte[] result = block;
        for (int i = 1; i < ITERATIONS; i++) {
            block = hmac(utf8(password), block);
            result = xor(result, block);
        }
        return result;
    }

    private static String mongoDigest(ScriptedUser user) {
        return HexFormat.of().formatHex(digest("MD5", utf8(user.name() + ":mongo:" + user.password())));
    }

    private static String bare(byte[] clientFirst) {
        String message = new String(clientFirst, StandardCharsets.UTF_8);
        return message.substring(message.indexOf(',', message.indexOf(',') + 1) + 1);
    }

    private static Map<String, String> fields(String message) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : message.split(",", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        return fields;
    }

    private byte[] hmac(byte[] key, byte[] text) {
        try {
            String algorithm = "Hmac" + hash.replace("-", "");
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] digest(String hash, byte[] text) {
        try {
            return MessageDigest.getInstance(hash).digest(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] xor(byte[] one, byte[] other) {
        byte[] result = new byte[one.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = (byte) (one[i] ^ other[i]);
        }
        return result;
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
