package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.ConfigException;
import io.scatterguard.proxy.config.ConfigReader;
import io.scatterguard.proxy.config.ScatterguardConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every {@link #PERIOD} whether a file of the configuration has changed, those that it refers to included, and has it
 * read anew once they have stayed the same for as long: an editor, or a Kubernetes ConfigMap, writes in steps. On a daemon thread of its
 * own.
 */
final class ConfigWatch implements AutoCloseable {
    /** So that an edit counts within a second. */
    static final Duration PERIOD = Duration.ofMillis(250);

    private static final Logger LOG = LoggerFactory.getLogger(ConfigWatch.class);

    private final Path file;
    private final Map<String, String> environment;
    private final LiveConfig live;
    private final Thread thread = new Thread(this::run, "scatterguard-config");
    private Set<Path> files;
    private Map<Path, String> applied;
    private Map<Path, String> seen;

    /**
     * @param files what the configuration was read from
     * @param environment what {@code ${NAME}} refers to
     */
    ConfigWatch(Path file, Set<Path> files, Map<String, String> environment, LiveConfig live) {
        this.file = file;
        this.files = files;
        this.environment = environment;
        this.live = live;
        this.applied = marks(files);
        this.seen = applied;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(PERIOD.toMillis());
                look();
            }
        } catch (InterruptedException e) {
            LOG.debug("configuration is not watched any more");
        }
    }

    /** One look. */
    synchronized void look() {
        Map<Path, String> now = marks(files);
        boolean still = now.equals(seen);
        seen = now;
        if (still && !now.equals(applied)) {
            applied = now;
            reread();
        }
    }

    /** Reads the configuration, whether or not a file has changed. */
    synchronized void reread() {
        Set<Path> read = new LinkedHashSet<>();
        boolean applies = false;
        try {
            ScatterguardConfig config = ConfigReader.read(file, environment, read::add);
            live.apply(config);
            applies = true;
        } catch (ConfigException e) {
            live.refuse(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("configuration could not be applied", e);
            live.refuse("internal error, see the log: " + e.getClass().getSimpleName());
        }
        if (!read.equals(files)) {
            files = read;
            seen = marks(files);
            // A file that was not watched until now may have been edited since it was read: it is read once more.
            applied = applies ? Map.of() : seen;
        }
    }

    /** What tells one state of the files from another: also of a link that leads elsewhere now. */
    private static Map<Path, String> marks(Set<Path> files) {
        Map<Path, String> marks = new TreeMap<>();
        for (Path path : files) {
            marks.put(path, mark(path));
        }
        return marks;
    }

    private static String mark(Path path) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return attributes.size() + " " + attributes.lastModifiedTime() + " " + attributes.fileKey();
        } catch (IOException e) {
            return e.getClass().getSimpleName();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
