package io.scatterguard.proxy.cli;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The lines of a file, decoded each for itself, so that a wrong byte spoils no other line. */
final class InputLines implements Closeable {
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private final InputStream in;
    private long number;

    /** @param in buffered; closed with this */
    InputLines(InputStream in) {
        this.in = in;
    }

    /** The bytes of the line that follows, without its line feed; null at the end. */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int c = in.read();
        if (c < 0) {
            return null;
        }
        number++;
        for (; c >= 0 && c != '\n'; c = in.read()) {
            line.write(c);
        }
        return line.toByteArray();
    }

    /** The number of the last line, from 1. */
    long number() {
        return number;
    }

    /**
     * The text of the last line, without the byte order mark of a file.
     *
     * @throws CharacterCodingException if it is not UTF-8
     */
    String decoded(byte[] line) throws CharacterCodingException {
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(line))
                .toString();
        return number == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
