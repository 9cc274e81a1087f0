package io.scatterguard.proxy.audit;

import io.scatterguard.protocol.bson.BsonCursor;
import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.BsonView;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The text of a shape while it is written. It knows how documents and lists look, folds names, and bounds the work: after
 * {@link #MAX_ELEMENTS} elements or {@link #MAX_CHARS} characters nothing more is looked at, and what is open is closed.
 */
final class ShapeText {
    static final String ELLIPSIS = "…";

    /** How many elements of a command are looked at. */
    static final int MAX_ELEMENTS = 10_000;

    /** How long the text may grow before it is cut for people; the hash covers all of it. */
    static final int MAX_CHARS = 65_536;

    /** More names than this under one parent are the keys of a map. */
    static final int MAX_SIBLINGS = 30;

    /** Writes the value of one member of a document. */
    @FunctionalInterface
    interface MemberWriter {
        /** Returns false if the member does not belong into the shape: its name is taken back then. */
        boolean write(String name, BsonValueView value);
    }

    private final StringBuilder out = new StringBuilder(256);
    private int elements;
    private int depth;

    ShapeText append(String text) {
        out.append(text);
        return this;
    }

    /** Writes a value's type token. */
    boolean token(BsonValueView value) {
        out.append(TypeToken.of(value));
        return true;
    }

    /** Writes {@code {name: value, …}} in the document's order, names folded, equal members with a folded name once. */
    void document(BsonView document, MemberWriter member) {
        nested(() -> {
            Members members = beginDocument(hasMany(document));
            BsonCursor cursor = document.cursor();
            while (cursor.next() && members.add(cursor.name(), cursor.value(), member)) {}
            members.end();
        });
    }

    /** Writes {@code [a, b, …]}, every member in its place; of more than {@link #MAX_SIBLINGS} equal ones once. */
    void list(BsonView list, Consumer<BsonValueView> item) {
        writeList(list, item, hasMany(list));
    }

    /** Writes a list of alternatives (branches of {@code $or}, statements of a batch): equal ones once. */
    void alternatives(BsonView list, Consumer<BsonValueView> item) {
        writeList(list, item, true);
    }

    private void writeList(BsonView list, Consumer<BsonValueView> item, boolean distinct) {
        nested(() -> {
            Items items = beginList(distinct);
            BsonCursor cursor = list.cursor();
            while (cursor.next() && items.add(() -> item.accept(cursor.value()))) {}
            items.end();
        });
    }

    Members beginDocument(boolean map) {
        out.append('{');
        return new Members(map);
    }

    /** Opens a document that begins with {@code names}, each with the text {@code value}. */
    Members beginDocument(boolean map, List<String> names, String value) {
        Members members = beginDocument(map);
        names.forEach(name -> members.add(name, value));
        return members;
    }

    /** Opens a list; in a {@code distinct} one equal members are written once, so that their number does not show. */
    Items beginList(boolean distinct) {
        out.append('[');
        return new Items(distinct);
    }

    private void nested(Runnable body) {
        if (++depth <= BsonView.MAX_DEPTH) {
            body.run();
        } else {
            out.append(ELLIPSIS);
        }
        depth--;
    }

    private static boolean hasMany(BsonView document) {
        BsonCursor cursor = document.cursor();
        for (int i = 0; i <= MAX_SIBLINGS; i++) {
            if (!cursor.next()) {
                return false;
            }
        }
        return true;
    }

    private boolean withinBudget() {
        return elements < MAX_ELEMENTS && out.length() <= MAX_CHARS;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    /** An open document. */
    final class Members {
        private final boolean map;
        private @Nullable Set<String> foldedMembers;
        private String separator = "";

        private Members(boolean map) {
            this.map = map;
        }

        /** Returns false once the budget is used up. */
        boolean add(String rawName, BsonValueView value, MemberWriter member) {
            if (!withinBudget()) {
                return false;
            }
            elements++;
            String name = map && !FieldNames.isOperator(rawName) ? FieldNames.FOLDED : FieldNames.fold(rawName);
            int mark = out.length();
            out.append(separator);
            int start = out.length();
            out.append(name).append(": ");
            boolean kept = member.write(rawName, value);
            if (kept && name.contains(FieldNames.FOLDED)) {
                kept = isFirst(out.substring(start));
            }
            if (kept) {
                separator = ", ";
            } else {
                out.setLength(mark);
            }
            return true;
        }

        private void add(String name, String text) {
            out.append(separator).append(name).append(": ").append(text);
            separator = ", ";
        }

        private boolean isFirst(String foldedMember) {
            if (foldedMembers == null) {
                foldedMembers = new HashSet<>();
            }
            return foldedMembers.add(foldedMember);
        }

        void end() {
            out.append('}');
        }
    }

    /** An open list. */
    final class Items {
        private final @Nullable Set<String> seen;
        private boolean empty = true;

        private Items(boolean distinct) {
            this.seen = distinct ? new HashSet<>() : null;
        }

        /**
         * Returns false once the budget is used up. In a distinct list the member it ended in is taken back, so that a
         * long list of equal members has the shape of a short one.
         */
        boolean add(Runnable item) {
            if (!withinBudget()) {
                return false;
            }
            elements++;
            int mark = out.length();
            out.append(empty ? "" : ", ");
            int start = out.length();
            item.run();
            boolean whole = withinBudget();
            if (seen != null && !empty && (!whole || seen.contains(out.substring(start)))) {
                out.setLength(mark);
            } else if (seen != null) {
                seen.add(out.substring(start));
            }
            empty = false;
            return whole;
        }

        void end() {
            out.append(']');
        }
    }
}
