package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.proxy.catalog.ShardKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an update writes to the fields of a shard key in a document that it finds; borrows the update's bytes. {@code _id} is
 * left out: every server keeps it as it is.
 */
final class WrittenKey {
    private final ShardKey key;
    private final BsonValueView[] values;
    private final boolean[] unknown;

    private WrittenKey(ShardKey key) {
        this.key = key;
        this.values = new BsonValueView[key.size()];
        this.unknown = new boolean[key.size()];
    }

    /** What {@code update} writes. */
    static WrittenKey of(UpdateStatement update, ShardKey key) {
        WrittenKey written = new WrittenKey(key);
        BsonValueView modification = update.modification();
        BsonView replacement = update.replacement();
        if (replacement != null) {
            written.replace(replacement);
        } else if (modification != null && modification.isDocument()) {
            written.operators(modification.document());
        } else if (modification != null && modification.isArray()) {
            written.pipeline(PipelineStage.list(modification));
        }
        return written;
    }

    /** The value that field {@code index} has afterwards, null for none at all; null if it is not written, or not known. */
    @Nullable BsonValueView value(int index) {
        return values[index];
    }

    /** Whether field {@code index} is written with a value that cannot be told. */
    boolean isUnknown(int index) {
        return unknown[index];
    }

    /** Whether any field of the key is written. */
    boolean isAny() {
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null || unknown[i]) {
                return true;
            }
        }
        return false;
    }

    /** Whether an array is written, which no key may hold. */
    boolean holdsArray() {
        for (BsonValueView value : values) {
            if (value != null && value.isArray()) {
                return true;
            }
        }
        return false;
    }

    private void replace(BsonView replacement) {
        for (int i = 0; i < values.length; i++) {
            BsonValueView value = DocumentKey.at(replacement, key.field(i).path());
            write(i, value == null ? BsonValueView.NULL : value);
        }
    }

    private void operators(BsonView modification) {
        BsonCursor operator = modification.cursor();
        while (operator.next()) {
            if (operator.value().isDocument()) {
                operator(operator.name(), operator.value().document());
            }
        }
    }

    private void operator(String name, BsonView fields) {
        if (name.equals("$setOnInsert")) {
            return; // for an insert only: nothing is changed
        }
        BsonCursor cursor = fields.cursor();
        while (cursor.next()) {
            String path = cursor.name();
            switch (name) {
                case "$set" -> set(path, cursor.value());
                case "$unset" -> set(path, BsonValueView.NULL);
                case "$rename" -> {
                    set(path, BsonValueView.NULL);
                    doubt(cursor.value().isString() ? cursor.value().string() : path);
                }
                default -> doubt(path);
            }
        }
    }

    private void pipeline(List<PipelineStage> stages) {
        for (PipelineStage stage : stages) {
            BsonValueView value = stage.value();
            switch (stage.name()) {
                case "$set", "$addFields" -> expressions(value);
                case "$unset" -> unset(value);
                default -> doubtAll();
            }
        }
    }

    private void unset(BsonValueView paths) {
        if (paths.isString()) {
            set(paths.string(), BsonValueView.NULL);
        } else if (paths.isArray()) {
            BsonCursor cursor = paths.document().cursor();
            while (cursor.next()) {
                if (cursor.value().isString()) {
                    set(cursor.value().string(), BsonValueView.NULL);
                }
            }
        }
    }

    private void expressions(BsonValueView fields) {
        if (!fields.isDocument()) {
            return;
        }
        BsonCursor cursor = fields.document().cursor();
        while (cursor.next()) {
            BsonValueView constant = constant(cursor.value());
            int index = key.indexOf(cursor.name());
            if (constant != null && index >= 0) {
                write(index, constant);
            } else {
                doubt(cursor.name());
            }
        }
    }

    /** The value of a constant expression; null for any other. An array of expressions is an array whatever they are. */
    private static @Nullable BsonValueView constant(BsonValueView expression) {
        if (expression.isDocument()) {
            BsonCursor cursor = expression.document().cursor();
            return cursor.next() && cursor.nameEquals("$literal") ? cursor.value() : null;
        }
        if (expression.stringEquals("$$REMOVE")) {
            return BsonValueView.NULL;
        }
        return expression.stringStartsWith("$") ? null : expression;
    }

    /** A value at {@code path}: of a field, of a parent that holds it, or of something inside it. */
    private void set(String path, BsonValueView value) {
        for (int i = 0; i < values.length; i++) {
            String field = key.field(i).path();
            if (field.equals(path)) {
                write(i, value);
            } else if (isBelow(field, path)) {
                write(i, below(value, field.substring(path.length() + 1)));
            } else if (isBelow(path, field)) {
                doubt(i);
            }
        }
    }

    private static BsonValueView below(BsonValueView value, String path) {
        if (value.isArray()) {
            return value;
        }
        BsonValueView found = value.isDocument() ? DocumentKey.at(value.document(), path) : null;
        return found == null ? BsonValueView.NULL : found;
    }

    private void doubt(String path) {
        for (int i = 0; i < values.length; i++) {
            String field = key.field(i).path();
            if (field.equals(path) || isBelow(field, path) || isBelow(path, field)) {
                doubt(i);
            }
        }
    }

    private void doubtAll() {
        for (int i = 0; i < values.length; i++) {
            doubt(i);
        }
    }

    private void write(int index, BsonValueView value) {
        if (!isId(index)) {
            values[index] = value;
            unknown[index] = false;
        }
    }

    private void doubt(int index) {
        if (!isId(index)) {
            values[index] = null;
            unknown[index] = true;
        }
    }

    private boolean isId(int index) {
        String path = key.field(index).path();
        return path.equals("_id") || isBelow(path, "_id");
    }

    private static boolean isBelow(String path, String parent) {
        return path.length() > parent.length() && path.charAt(parent.length()) == '.' && path.startsWith(parent);
    }
}
