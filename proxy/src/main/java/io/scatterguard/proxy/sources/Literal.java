package io.scatterguard.proxy.sources;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A value written out in a source. */
sealed interface Literal {
    /** Where it begins. */
    int offset();

    /** A string. */
    record Text(int offset, String value) implements Literal {}

    /** A name, a number, or a symbol of Ruby without its colon. */
    record Word(int offset, String value) implements Literal {
        /** What follows the last dot: {@code HASH} of {@code ShardingStrategy.HASH}. */
        String last() {
            return value.substring(Math.max(value.lastIndexOf('.'), value.lastIndexOf(':')) + 1);
        }
    }

    /** What stands between brackets, named or not. */
    record Items(int offset, List<Item> items) implements Literal {
        public Items {
            items = List.copyOf(items);
        }

        Optional<Literal> named(String name) {
            return items.stream()
                    .filter(item -> name.equals(item.name()))
                    .map(Item::value)
                    .findFirst();
        }

        /** The value at {@code index} if it has no name. */
        Optional<Literal> unnamed(int index) {
            return index < items.size() && items.get(index).name() == null
                    ? Optional.of(items.get(index).value())
                    : Optional.empty();
        }

        /** The string named {@code name}; a {@link SourceException} if it is there and none. */
        Optional<String> text(String name) {
            return named(name).map(Literal::requireText);
        }
    }

    /**
     * An element between brackets.
     *
     * @param name null for none
     */
    record Item(@Nullable String name, Literal value) {}

    /** Something that the program computes. */
    record Computed(int offset) implements Literal {}

    /** Its string. */
    static String requireText(Literal literal) {
        if (literal instanceof Text text) {
            return text.value();
        }
        throw new SourceException(literal.offset(), "not a string written out");
    }
}
