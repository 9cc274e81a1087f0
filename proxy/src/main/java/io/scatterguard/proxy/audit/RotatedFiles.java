package io.scatterguard.proxy.audit;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a log that were put aside: {@code .1} is the youngest. They are compressed by a thread of their own, one at a
 * time; what could not be compressed stays as it is.
 */
final class RotatedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RotatedFiles.class);
    private static final int BUFFER_BYTES = 64 << 10;

    /** How long closing waits for a file that is being compressed. */
    private static final long CLOSE_MILLIS = 2_000;

    private final Path path;
    private final FileRotation rotation;
    private @Nullable Thread compressing;

    RotatedFiles(Path path, FileRotation rotation) {
        this.path = path;
        this.rotation = rotation;
    }

    /**
     * Puts the live file aside, which is closed. Waits for the one before it, if that is still being compressed.
     *
     * @throws IOException if that cannot be done now: the live file is where it was, and no older one is lost
     */
    void add() throws IOException {
        awaitCompressed(0);
        if (rotation.maxFiles() == 0) {
            Files.deleteIfExists(path);
            return;
        }
        makeRoom();
        try {
            Files.move(path, plain(0));
        } catch (NoSuchFileException e) {
            return; // somebody else has taken it away
        }
        try {
            makeRoom();
        } catch (IOException e) {
            LOG.warn("audit file keeps its number for now file={} error={}", plain(0), e.toString());
            return;
        }
        if (rotation.gzip()) {
            Thread thread = new Thread(this::compress, "audit-gzip");
            thread.setDaemon(true);
            thread.start();
            compressing = thread;
        }
    }

    /**
     * Makes the file that has number 0, if there is one, number 1, and those before it one more each, up to the first number
     * that is free. Nothing is deleted unless all are taken, so that trying again after an error costs nothing.
     */
    private void makeRoom() throws IOException {
        if (isFree(0)) {
            return;
        }
        int last = rotation.maxFiles();
        int free = 1;
        while (free <= last && !isFree(free)) {
            free++;
        }
        if (free > last) {
            Files.deleteIfExists(plain(last));
            Files.deleteIfExists(compressed(last));
            free = last;
        }
        for (int i = free - 1; i >= 0; i--) {
            move(plain(i), plain(i + 1));
            move(compressed(i), compressed(i + 1));
        }
    }

    private boolean isFree(int number) {
        return Files.notExists(plain(number)) && Files.notExists(compressed(number));
    }

    private static void move(Path from, Path to) throws IOException {
        if (Files.exists(from)) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Number 0 is the live file while it is put aside. */
    private Path plain(int number) {
        return path.resolveSibling(path.getFileName() + "." + number);
    }

    private Path compressed(int number) {
        return path.resolveSibling(path.getFileName() + "." + number + ".gz");
    }

    /** The name it has while it is not whole. */
    private Path incomplete() {
        return path.resolveSibling(path.getFileName() + ".1.gz.part");
    }

    private void compress() {
        try {
            Files.deleteIfExists(incomplete());
            copy(plain(1), incomplete());
            Files.move(incomplete(), compressed(1), StandardCopyOption.REPLACE_EXISTING);
            Files.delete(plain(1));
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("audit file is not compressed file={} error={}", plain(1), e.toString());
            try {
                Files.deleteIfExists(incomplete());
            } catch (IOException again) {
                LOG.debug("audit file is not deleted file={} error={}", incomplete(), again.toString());
            }
        }
    }

    private void copy(Path from, Path to) throws IOException {
        try (InputStream in = Files.newInputStream(from);
                OutputStream out = new GZIPOutputStream(Channels.newOutputStream(FileChannel.open(
                        to, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly(to))))) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("the process ends");
                }
                out.write(buffer, 0, read);
            }
        }
    }

    /** Readable and writable by its owner only, where the file system knows owners. */
    static FileAttribute<?>[] ownerOnly(Path path) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** Waits until nothing is being compressed; gives up on it after a moment. */
    void close() {
        try {
            awaitCompressed(CLOSE_MILLIS);
        } catch (InterruptedIOException e) {
            Thread.currentThread().interrupt();
        }
        Thread thread = compressing;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** At most {@code millis}; 0 for as long as it takes. */
    private void awaitCompressed(long millis) throws InterruptedIOException {
        Thread thread = compressing;
        if (thread == null) {
            return;
        }
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a file is compressed");
        }
        compressing = thread.isAlive() ? thread : null;
    }
}
