package io.scatterguard.proxy.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to a file and renames it to {@code .1}, {@code .1} to {@code .2} and so on before it grows beyond a size.
 * A file moved or deleted by somebody else is noticed at the next batch and made anew. After an error (disk full, no
 * permission) the file is opened again at the next batch, and a line that was cut off is taken back or ended first.
 */
public final class RollingFileSink implements AuditSink {
    private static final Set<StandardOpenOption> APPEND =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

    private final Path path;
    private final long maxBytes;
    private final int maxFiles;
    private final WhenFull whenFull;
    private @Nullable FileChannel channel;
    private @Nullable Object fileKey;

    /**
     * @param path the live file; its folder must exist
     * @param maxBytes the size it does not grow beyond, unless a single record is larger
     * @param maxFiles how many renamed files are kept besides it; with 0 a full one is deleted
     */
    public RollingFileSink(Path path, long maxBytes, int maxFiles, WhenFull whenFull) {
        if (maxBytes < 1 || maxFiles < 0) {
            throw new IllegalArgumentException("audit file " + path + ": maxBytes " + maxBytes + ", maxFiles "
                    + maxFiles + " (expected: at least 1, and 0)");
        }
        this.path = path;
        this.maxBytes = maxBytes;
        this.maxFiles = maxFiles;
        this.whenFull = whenFull;
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
    public WhenFull whenFull() {
        return whenFull;
    }

    @Override
    public void write(List<byte[]> lines) throws IOException {
        int written = 0;
        try {
            reopenIfMoved();
            ByteArrayOutputStream chunk = new ByteArrayOutputStream();
            for (int i = 0; i < lines.size(); i++) {
                byte[] line = lines.get(i);
                long size = opened().size() + chunk.size();
                if (size > 0 && size + line.length > maxBytes) {
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
            open = FileChannel.open(path, APPEND, ownerOnly());
            channel = open;
            fileKey = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            if (endsInsideLine(open.size())) {
                open.write(ByteBuffer.wrap(new byte[] {'\n'}));
            }
        }
        return open;
    }

    /** Readable and writable by its owner only, where the file system knows owners; a file that exists stays as it is. */
    private FileAttribute<?>[] ownerOnly() {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
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

    private void rotate() throws IOException {
        closeQuietly();
        if (maxFiles == 0) {
            Files.deleteIfExists(path);
            return;
        }
        Files.deleteIfExists(rotated(maxFiles));
        for (int i = maxFiles - 1; i >= 1; i--) {
            if (Files.exists(rotated(i))) {
                Files.move(rotated(i), rotated(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(path, rotated(1), StandardCopyOption.REPLACE_EXISTING);
    }

    private Path rotated(int number) {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    /** Everything written is with the operating system already. */
    @Override
    public void flush() {}

    @Override
    public void close() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }

    private void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            channel = null; // it is being given up because of an earlier error, which is the one to report
        }
    }
}
