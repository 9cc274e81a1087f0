package io.scatterguard.proxy.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends records to a file and puts it aside as {@code .1} before it grows beyond a size, or once its time is over; see
 * {@link FileRotation}. A file moved or deleted by somebody else is noticed at the next batch and made anew. After an error
 * (disk full, no permission) the file is opened again at the next batch, and a line that was cut off is taken back or ended
 * first.
 */
public final class RollingFileSink implements AuditSink {
    private static final Logger LOG = LoggerFactory.getLogger(RollingFileSink.class);

    /** How long a file that could not be put aside is written to before that is tried again. */
    static final long RETRY_MILLIS = 60_000;

    private static final Set<StandardOpenOption> APPEND =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

    private final Path path;
    private final FileRotation rotation;
    private final RotatedFiles rotated;
    private final WhenFull whenFull;
    private final Clock clock;
    private @Nullable FileChannel channel;
    private @Nullable Object fileKey;
    /** The period the file was last written in. */
    private long period;
    /** Whether the file could not be put aside, and when that was tried last. */
    private boolean failing;

    private long failedAtMillis;

    /**
     * @param path the live file; its folder must exist
     * @param clock says when a file's time is over
     */
    public RollingFileSink(Path path, FileRotation rotation, WhenFull whenFull, Clock clock) {
        this.path = path;
        this.rotation = rotation;
        this.rotated = new RotatedFiles(path, rotation);
        this.whenFull = whenFull;
        this.clock = clock;
    }

    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public String type() {
        return "file";
    }

    @Override
    public String destination() {
        return "file " + path.toAbsolutePath().normalize();
    }

    @Override
    public void check() throws IOException {
        Path absolute = path.toAbsolutePath();
        Path folder = absolute.getParent();
        if (Files.isDirectory(absolute)) {
            throw new IOException(path + ": a folder (expected: a file, or none yet)");
        }
        if (Files.exists(absolute) && !Files.isWritable(absolute)) {
            throw new IOException(path + ": not writable (expected: a file that this process may write to)");
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException(folder + ": no folder (expected: one that this process may write to)");
        }
        if (!Files.isWritable(folder)) {
            throw new IOException(folder + ": not writable (expected: a folder that this process may write to)");
        }
    }

    @Override
    public WhenFull whenFull() {
        return whenFull;
    }

    @Override
    public void write(List<byte[]> lines) throws IOException {
        int written = 0;
        try {
            reopenIfMoved();
            rotateIfOver();
            ByteArrayOutputStream chunk = new ByteArrayOutputStream();
            for (int i = 0; i < lines.size(); i++) {
                byte[] line = lines.get(i);
                long size = opened().size() + chunk.size();
                if (size > 0 && size + line.length > rotation.maxBytes() && mayRotate()) {
                    append(chunk);
                    written = i;
                    rotate();
                }
                chunk.write(line);
            }
            append(chunk);
        } catch (IOException | RuntimeException e) {
            closeQuietly();
            throw new PartlyWrittenException(written, e);
        }
    }

    private void append(ByteArrayOutputStream chunk) throws IOException {
        FileChannel out = opened();
        long before = out.size();
        ByteBuffer bytes = ByteBuffer.wrap(chunk.toByteArray());
        chunk.reset();
        boolean whole = false;
        try {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            whole = true;
        } finally {
            if (!whole) {
                out.truncate(before);
            }
        }
    }

    private FileChannel opened() throws IOException {
        FileChannel open = channel;
        if (open == null) {
            open = FileChannel.open(path, APPEND, RotatedFiles.ownerOnly(path));
            channel = open;
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            fileKey = attributes.fileKey();
            period = rotation.period(
                    attributes.size() == 0
                            ? clock.millis()
                            : attributes.lastModifiedTime().toMillis());
            if (endsInsideLine(open.size())) {
                open.write(ByteBuffer.wrap(new byte[] {'\n'}));
            }
        }
        return open;
    }

    private boolean endsInsideLine(long size) throws IOException {
        if (size == 0) {
            return false;
        }
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            file.seek(size - 1);
            return file.read() != '\n';
        }
    }

    private void reopenIfMoved() throws IOException {
        if (channel != null && !Objects.equals(fileKey, keyOfPath())) {
            closeQuietly();
        }
    }

    private @Nullable Object keyOfPath() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return "gone";
        }
    }

    /** A file that was last written to in an earlier period is put aside, be it from before a restart. */
    private void rotateIfOver() throws IOException {
        long size = opened().size();
        long now = rotation.period(clock.millis());
        if ((now > period || failing) && size > 0 && mayRotate()) {
            rotate();
        }
        period = Math.max(now, period);
    }

    /** Not for a while after it could not be done. */
    private boolean mayRotate() {
        long sinceMillis = clock.millis() - failedAtMillis;
        return !failing || sinceMillis < 0 || sinceMillis >= RETRY_MILLIS;
    }

    /** Puts the file aside. Where that fails it goes on growing: a file that is too large is better than a lost record. */
    private void rotate() throws IOException {
        closeQuietly();
        try {
            rotated.add();
            if (failing) {
                LOG.info("audit file is put aside again file={}", path);
            }
            failing = false;
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            if (!failing) {
                LOG.warn("audit file cannot be put aside, it goes on growing file={} error={}", path, e.toString());
            }
            failing = true;
            failedAtMillis = clock.millis();
        }
    }

    /** Everything written is with the operating system already. */
    @Override
    public void flush() {}

    private void closeChannel() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }

    /** Nothing is written any more. */
    @Override
    public void close() throws IOException {
        rotated.close();
        closeChannel();
    }

    private void closeQuietly() {
        try {
            closeChannel();
        } catch (IOException e) {
            channel = null; // it is being given up because of an earlier error, which is the one to report
        }
    }
}
