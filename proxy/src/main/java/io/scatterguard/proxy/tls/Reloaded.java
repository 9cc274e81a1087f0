package io.scatterguard.proxy.tls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is made of files, and made anew when their content changes. A change counts once it was seen by two looks in a row,
 * so that a certificate and its key that are replaced one after the other are not read in between. {@link #get()} may be
 * called by any thread, {@link #look()} by one at a time.
 */
final class Reloaded<T> implements Supplier<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Reloaded.class);

    /** Makes something of the files, by their keys. */
    interface Loader<T> {
        T load(Map<String, TlsFile> files) throws TlsException;
    }

    private final String name;
    private final Map<String, Path> paths;
    private final Loader<T> loader;
    private volatile T current;
    private String used;
    private String seen;
    private String refused = "";

    /**
     * Loads for the first time.
     *
     * @param name the section of the configuration, for messages
     * @param paths the files by the keys that name them
     */
    Reloaded(String name, Map<String, Path> paths, Loader<T> loader) throws TlsException {
        this.name = name;
        this.paths = Map.copyOf(paths);
        this.loader = loader;
        Map<String, TlsFile> files = read();
        this.current = loader.load(files);
        this.used = fingerprint(files);
        this.seen = used;
    }

    @Override
    public T get() {
        return current;
    }

    /** Looks whether the files changed, and loads them if so; what cannot be used is logged once and changes nothing. */
    void look() {
        try {
            Map<String, TlsFile> files = read();
            String found = fingerprint(files);
            if (isSettledNews(found)) {
                load(files, found);
            }
        } catch (TlsException e) {
            String found = "unreadable: " + e.getMessage();
            if (isSettledNews(found)) {
                refuse(found, e);
            }
        }
    }

    /** Whether {@code found} was found the last time too, and is neither in use nor refused already. */
    private boolean isSettledNews(String found) {
        boolean settled = found.equals(seen);
        seen = found;
        if (found.equals(used)) {
            refused = "";
        }
        return settled && !found.equals(used) && !found.equals(refused);
    }

    private void load(Map<String, TlsFile> files, String found) {
        try {
            current = loader.load(files);
            used = found;
            refused = "";
            LOG.info("changed TLS files are in use for new connections: tls={}", name);
        } catch (TlsException e) {
            refuse(found, e);
        } catch (RuntimeException e) {
            refused = found; // The same files would fail again, at every look.
            throw e;
        }
    }

    private void refuse(String found, TlsException error) {
        refused = found;
        LOG.error(
                "changed TLS files cannot be used, what was read before stays in use: tls={} key={} error={}",
                name,
                error.key(),
                error.getMessage());
    }

    private Map<String, TlsFile> read() throws TlsException {
        Map<String, TlsFile> files = new HashMap<>();
        for (Map.Entry<String, Path> path : paths.entrySet()) {
            files.put(path.getKey(), TlsFile.read(path.getKey(), path.getValue()));
        }
        return files;
    }

    private static String fingerprint(Map<String, TlsFile> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.keySet().stream().sorted().forEach(key -> {
                digest.update(key.getBytes(StandardCharsets.UTF_8));
                TlsFile file = files.get(key);
                digest.update(file == null ? new byte[0] : file.bytes());
            });
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
