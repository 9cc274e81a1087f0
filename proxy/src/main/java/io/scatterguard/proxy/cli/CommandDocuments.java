package io.scatterguard.proxy.cli;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.json.JsonParseException;
import org.bson.json.JsonReader;

/** Reads commands: one document in Extended JSON, or in the shell's notation, after the other. */
final class CommandDocuments {
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private final String text;
    private final String source;
    private int at;

    private CommandDocuments(String text, String source) {
        this.text = text;
        this.source = source;
    }

    /**
     * The documents in {@code text}, at least one; only blanks between them.
     *
     * @param source the file's name, for messages
     * @throws InputException if it is nothing of the kind; the message says where
     */
    static List<BsonDocument> read(String text, String source) {
        return new CommandDocuments(text, source).read();
    }

    private List<BsonDocument> read() {
        List<BsonDocument> documents = new ArrayList<>();
        for (skipBlanks(); at < text.length(); skipBlanks()) {
            if (text.charAt(at) != '{') {
                throw wrong("unexpected '" + text.substring(at, text.offsetByCodePoints(at, 1))
                        + "' (expected: a command as a document: {find: \"orders\", $db: \"shop\"})");
            }
            documents.add(next());
        }
        if (documents.isEmpty()) {
            throw new InputException(
                    source + ": no command (expected: {find: \"orders\", $db: \"shop\"}, for instance)");
        }
        return documents;
    }

    private BsonDocument next() {
        try (JsonReader reader = new JsonReader(new Counted())) {
            return CODEC.decode(reader, DecoderContext.builder().build());
        } catch (JsonParseException | BSONException | IllegalArgumentException e) {
            throw wrong("not Extended JSON: " + e.getMessage());
        }
    }

    private void skipBlanks() {
        while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '\ufeff')) {
            at++;
        }
    }

    /** With the line and column up to which the text was read. */
    private InputException wrong(String what) {
        String before = text.substring(0, Math.min(at, text.length()));
        long line = 1 + before.chars().filter(c -> c == '\n').count();
        int column = Math.max(1, before.length() - before.lastIndexOf('\n') - 1);
        return new InputException(source + ", line " + line + ", column " + column + ": " + what);
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
