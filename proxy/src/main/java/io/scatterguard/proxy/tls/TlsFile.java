package io.scatterguard.proxy.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/** The content of a file as it was read at one moment. */
final class TlsFile {
    /** More than any chain of certificates or bundle of CAs takes. */
    static final int MAX_BYTES = 4 << 20;

    private static final byte[] PEM_BEGIN = "-----BEGIN ".getBytes(StandardCharsets.US_ASCII);

    private final String key;
    private final Path path;
    private final byte[] bytes;

    /**
     * @param key the key of the configuration that names it, below {@code tls}
     * @param path where it is
     * @param bytes what was in it
     */
    TlsFile(String key, Path path, byte[] bytes) {
        this.key = key;
        this.path = path;
        this.bytes = bytes;
    }

    Path path() {
        return path;
    }

    /** What was in it; not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    /** What is in the file now; links are followed anew each time. */
    static TlsFile read(String key, Path path) throws TlsException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new TlsException(
                        key, path + ": more than " + MAX_BYTES + " bytes (expected: " + expected(key) + ")");
            }
            return new TlsFile(key, path, bytes);
        } catch (NoSuchFileException e) {
            throw new TlsException(key, path + ": does not exist (expected: " + expected(key) + ")", e);
        } catch (IOException e) {
            throw new TlsException(
                    key,
                    path + ": cannot be read, "
                            + (Files.isDirectory(path)
                                    ? "it is a folder"
                                    : e.getClass().getSimpleName())
                            + " (expected: a file this process may read)",
                    e);
        }
    }

    private static String expected(String key) {
        return key.equals("certificate") ? "a PEM or PKCS#12 file" : "a PEM file";
    }

    /** Whether it is PEM, as opposed to something binary. */
    boolean isPem() {
        for (int at = 0; at <= bytes.length - PEM_BEGIN.length; at++) {
            if (Arrays.equals(bytes, at, at + PEM_BEGIN.length, PEM_BEGIN, 0, PEM_BEGIN.length)) {
                return true;
            }
        }
        return false;
    }

    /** An error of this file. */
    TlsException error(String problem, Throwable... cause) {
        return new TlsException(key, path + ": " + problem, cause.length == 0 ? null : cause[0]);
    }

    /** The names only: the bytes are a key. */
    @Override
    public String toString() {
        return key + "=" + path;
    }
}
