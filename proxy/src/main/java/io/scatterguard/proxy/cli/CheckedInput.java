package io.scatterguard.proxy.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * An input of {@code check}: lines, or BSON documents one after the other as {@code mongodump} writes them; either may be
 * compressed by gzip. Which it is is seen from its first bytes.
 */
final class CheckedInput implements Closeable {
    /** The longest line or document that is read; what is longer is left out. A document takes 16 MiB, in JSON about twice as much. */
    static final int MAX_BYTES = 48 << 20;

    private static final int LOOK_AHEAD = 8;
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int SMALLEST_DOCUMENT = 5;
    private static final long FOLLOW_MILLIS = 250;
    private static final byte[] TOO_LONG = {0};

    private final String name;
    private final CountedInput counted;
    private final InputStream in;
    private final boolean bson;
    private final boolean follow;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int from;
    private int to;
    private long number;

    private CheckedInput(String name, CountedInput counted, InputStream in, boolean bson, boolean follow) {
        this.name = name;
        this.counted = counted;
        this.in = in;
        this.bson = bson;
        this.follow = follow;
    }

    /** @param follow whether to wait for more at the end, which only lines of a file that is not compressed can do */
    static CheckedInput open(String file, boolean follow) {
        try {
            CountedInput counted = new CountedInput(stream(file));
            BufferedInputStream raw = new BufferedInputStream(counted, BUFFER_BYTES);
            byte[] magic = peek(raw, 2);
            boolean gzip = magic.length == 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
            if (follow && (gzip || InputFile.isStandardInput(file))) {
                throw new InputException(InputFile.name(file) + ": cannot be followed (expected: a file of lines, as"
                        + " something writes them)");
            }
            InputStream in = gzip ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER_BYTES), BUFFER_BYTES) : raw;
            return new CheckedInput(InputFile.name(file), counted, in, isBson(peek(in, LOOK_AHEAD)), follow);
        } catch (IOException e) {
            throw InputFile.unreadable(file, e);
        }
    }

    private static InputStream stream(String file) throws IOException {
        if (InputFile.isStandardInput(file)) {
            return System.in;
        }
        try {
            return Files.newInputStream(Path.of(file));
        } catch (InvalidPathException e) {
            throw new InputException(file + ": not a file name");
        } catch (NoSuchFileException e) {
            throw new InputException(file + ": no such file");
        }
    }

    private static byte[] peek(InputStream in, int bytes) throws IOException {
        in.mark(bytes);
        byte[] found = in.readNBytes(bytes);
        in.reset();
        return found;
    }

    /** A length that fits, and the type of a first field; no text begins so. */
    private static boolean isBson(byte[] begin) {
        if (begin.length < SMALLEST_DOCUMENT) {
            return false;
        }
        int length = ByteBuffer.wrap(begin).order(ByteOrder.LITTLE_ENDIAN).getInt();
        return length >= SMALLEST_DOCUMENT && length <= MAX_BYTES && begin[4] >= 1 && begin[4] <= 19 && begin[3] < 3;
    }

    String name() {
        return name;
    }

    boolean isBson() {
        return bson;
    }

    /** The number of the last item, from 1. */
    long number() {
        return number;
    }

    /** How many bytes of the file were read so far. */
    long bytesRead() {
        return counted.count();
    }

    /**
     * The line or document that follows, without a line feed; null at the end.
     *
     * @throws IOException if the file cannot be read any further, or ends within a document
     */
    byte @Nullable [] next() throws IOException, InterruptedException {
        if (follow && Thread.interrupted()) {
            throw new InterruptedException();
        }
        byte[] item = bson ? document() : line();
        number += item == null ? 0 : 1;
        return item;
    }

    private byte @Nullable [] document() throws IOException {
        byte[] length = in.readNBytes(4);
        if (length.length == 0) {
            return null;
        }
        int size = length.length < 4
                ? 0
                : ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
        if (size < SMALLEST_DOCUMENT || size > MAX_BYTES) {
            throw new IOException(name + ", document " + (number + 1) + ": not BSON");
        }
        byte[] document = new byte[size];
        System.arraycopy(length, 0, document, 0, 4);
        if (in.readNBytes(document, 4, size - 4) < size - 4) {
            throw new IOException(name + ", document " + (number + 1) + ": cut off");
        }
        return document;
    }

    private byte @Nullable [] line() throws IOException, InterruptedException {
        line.reset();
        boolean tooLong = false;
        boolean any = false;
        while (true) {
            int end = from;
            while (end < to && buffer[end] != '\n') {
                end++;
            }
            any |= end < to || end > from;
            tooLong |= line.size() + end - from > MAX_BYTES;
            if (!tooLong) {
                line.write(buffer, from, end - from);
            }
            boolean whole = end < to;
            from = end + 1;
            if (whole || !fill()) {
                return any ? (tooLong ? TOO_LONG : withoutReturn()) : null;
            }
        }
    }

    /** Lines of Windows end by two characters. */
    private byte[] withoutReturn() {
        byte[] whole = line.toByteArray();
        boolean returns = whole.length > 0 && whole[whole.length - 1] == '\r';
        return returns ? Arrays.copyOf(whole, whole.length - 1) : whole;
    }

    /** Whether {@code item} stands for a line that is too long. */
    @SuppressWarnings("ReferenceEquality") // There is only one.
    static boolean isTooLong(byte[] item) {
        return item == TOO_LONG;
    }

    /** False at the end. */
    private boolean fill() throws IOException, InterruptedException {
        from = 0;
        to = in.read(buffer);
        while (to <= 0 && follow) {
            Thread.sleep(FOLLOW_MILLIS);
            to = in.read(buffer);
        }
        to = Math.max(0, to);
        return to > 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
