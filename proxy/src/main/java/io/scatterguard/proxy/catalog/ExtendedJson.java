package io.scatterguard.proxy.catalog;

import java.io.IOException;
import java.io.Reader;
import java.util.Collection;
import org.bson.BsonDocument;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.json.JsonReader;

/**
 * Reads documents in Extended JSON, or in the shell's notation, out of a text, one after the other. Whatever is wrong with
 * the text is an {@link IllegalArgumentException} whose message says what; {@link #place} says where.
 */
public final class ExtendedJson {
    /** How deep a document may be nested, in levels: what MongoDB's servers take ({@code BSONDepth}). */
    public static final int MAX_DEPTH = 200;

    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();
    private static final char BYTE_ORDER_MARK = '\ufeff';

    private final String text;
    private int at;

    /** @param text documents, and blanks or a byte order mark between them */
    public ExtendedJson(String text) {
        this.text = text;
    }

    /**
     * The only document of {@code text}.
     *
     * @throws IllegalArgumentException if it is none, or if anything but blanks follows it
     */
    public static BsonDocument document(String text) {
        ExtendedJson documents = new ExtendedJson(text);
        if (!documents.hasNext()) {
            throw new IllegalArgumentException("nothing but blanks (expected: a document, {…})");
        }
        BsonDocument document = documents.next();
        if (documents.hasNext()) {
            throw new IllegalArgumentException("unexpected '" + documents.character() + "' at " + documents.place()
                    + ", after the end of the document (expected: one document)");
        }
        return document;
    }

    /** Whether anything but blanks follows. */
    public boolean hasNext() {
        while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == BYTE_ORDER_MARK)) {
            at++;
        }
        return at < text.length();
    }

    /**
     * The document that follows.
     *
     * @throws IllegalArgumentException if none does
     */
    public BsonDocument next() {
        if (!hasNext() || text.charAt(at) != '{') {
            throw new IllegalArgumentException("unexpected '" + character() + "' (expected: a document, {…})");
        }
        try (JsonReader reader = new JsonReader(new Counted())) {
            BsonDocument document =
                    CODEC.decode(reader, DecoderContext.builder().build());
            requireDepth(document, MAX_DEPTH);
            return document;
        } catch (StackOverflowError e) {
            throw tooDeep();
        } catch (TooDeepException e) {
            throw e;
        } catch (RuntimeException e) {
            // The reader throws whatever the constructor of a value throws: of numbers, ObjectIds, base64, dates.
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IllegalArgumentException("not Extended JSON: " + reason, e);
        }
    }

    private static void requireDepth(BsonValue value, int left) {
        Collection<BsonValue> members;
        if (value.isDocument()) {
            members = value.asDocument().values();
        } else if (value.isArray()) {
            members = value.asArray();
        } else if (value instanceof BsonJavaScriptWithScope code) {
            members = code.getScope().values();
        } else {
            return;
        }
        if (left == 0) {
            throw tooDeep();
        }
        members.forEach(member -> requireDepth(member, left - 1));
    }

    private static TooDeepException tooDeep() {
        return new TooDeepException(
                "nested too deeply (expected: at most " + MAX_DEPTH + " levels, as servers take it)");
    }

    private String character() {
        return at < text.length() ? text.substring(at, text.offsetByCodePoints(at, 1)) : "";
    }

    /** The line and column up to which the text was read, from 1. */
    public String place() {
        String before = text.substring(0, at);
        long line = 1 + before.chars().filter(c -> c == '\n').count();
        int column = Math.max(1, before.length() - before.lastIndexOf('\n') - 1);
        return "line " + line + ", column " + column;
    }

    private static final class TooDeepException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        TooDeepException(String message) {
            super(message);
        }
    }

    /** Gives the text character by character, as the JSON reader asks for it, and so knows how far that is. */
    private final class Counted extends Reader {
        @Override
        public int read() {
            return at < text.length() ? text.charAt(at++) : -1;
        }

        @Override
        public int read(char[] target, int offset, int length) throws IOException {
            int c = length == 0 ? -1 : read();
            if (c < 0) {
                return -1;
            }
            target[offset] = (char) c;
            return 1;
        }

        @Override
        public void close() {}
    }
}
