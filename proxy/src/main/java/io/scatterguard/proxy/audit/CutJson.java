package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.DocumentSequence;
import java.io.StringWriter;
import java.util.Set;
import org.bson.BsonValue;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.EncoderContext;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriter;
import org.bson.json.JsonWriterSettings;

/**
 * Relaxed Extended JSON that ends after a number of characters, and so does the work for it, however long what is written is.
 * What it is given is borrowed.
 */
final class CutJson {
    /** A single value of more bytes is not looked at: the text is cut there. */
    static final int MAX_VALUE_BYTES = 16 << 10;

    private static final int MAX_DEPTH = 200;
    private static final JsonWriterSettings RELAXED =
            JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();
    /** What drivers and servers tell each other: it is about no command in particular, and signed. */
    private static final Set<String> LEFT_OUT = Set.of("$db", "lsid", "$clusterTime");

    private final int maxChars;
    private final StringWriter out = new StringWriter();
    private final JsonWriter json = new JsonWriter(out, RELAXED);
    private boolean cut;

    /**
     * What was written.
     *
     * @param json complete JSON, or the beginning of it and an ellipsis
     * @param cut whether it was cut
     */
    record Text(String json, boolean cut) {}

    CutJson(int maxChars) {
        this.maxChars = maxChars;
    }

    Text text() {
        String text = out.toString();
        boolean tooLong = text.length() > maxChars;
        if (!cut && !tooLong) {
            return new Text(text, false);
        }
        return new Text(text.substring(0, Math.min(text.length(), maxChars - 1)) + ShapeText.ELLIPSIS, true);
    }

    /** A whole command: its body, then its document sequences. */
    void command(CommandView command) {
        json.writeStartDocument();
        BsonCursor cursor = command.body().cursor();
        while (!isFull() && cursor.next()) {
            if (LEFT_OUT.stream().noneMatch(cursor::nameEquals)) {
                member(cursor, 1);
            }
        }
        for (DocumentSequence sequence : command.sequences()) {
            if (!isFull()) {
                sequence(sequence);
            }
        }
        if (!isFull()) {
            json.writeEndDocument();
        }
    }

    private void sequence(DocumentSequence sequence) {
        json.writeName(sequence.identifier());
        json.writeStartArray();
        for (BsonView document : sequence) {
            if (isFull()) {
                return;
            }
            document(document, 2);
        }
        json.writeEndArray();
    }

    /** One document. */
    void document(BsonView document) {
        document(document, 1);
    }

    private void value(BsonValueView value, int depth) {
        if (depth > MAX_DEPTH) {
            cut = true;
        } else if (value.isDocument()) {
            document(value.document(), depth + 1);
        } else if (value.isArray()) {
            array(value.document(), depth + 1);
        } else if (value.length() > MAX_VALUE_BYTES) {
            cut = true;
        } else {
            leaf(value.toBsonValue());
        }
    }

    private void document(BsonView document, int depth) {
        json.writeStartDocument();
        BsonCursor cursor = document.cursor();
        while (!isFull() && cursor.next()) {
            member(cursor, depth);
        }
        if (!isFull()) {
            json.writeEndDocument();
        }
    }

    private void member(BsonCursor cursor, int depth) {
        if (cursor.nameLength() > MAX_VALUE_BYTES) {
            cut = true;
            return;
        }
        json.writeName(cursor.name());
        value(cursor.value(), depth);
    }

    private void array(BsonView array, int depth) {
        json.writeStartArray();
        BsonCursor cursor = array.cursor();
        while (!isFull() && cursor.next()) {
            value(cursor.value(), depth);
        }
        if (!isFull()) {
            json.writeEndArray();
        }
    }

    private void leaf(BsonValue value) {
        new BsonValueCodec().encode(json, value, EncoderContext.builder().build());
    }

    private boolean isFull() {
        return cut || out.getBuffer().length() > maxChars;
    }
}
