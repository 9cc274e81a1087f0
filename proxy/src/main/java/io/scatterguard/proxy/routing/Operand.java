package io.scatterguard.proxy.routing;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.bson.KeyBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** The values that a predicate compares with, as something to look predicates up by: compared by key bytes, hashed once. */
final class Operand {
    private final byte[] keyBytes;
    private final List<BsonType> types;
    private final int hash;

    private Operand(byte[] keyBytes, List<BsonType> types) {
        this.keyBytes = keyBytes;
        this.types = types;
        this.hash = 31 * Arrays.hashCode(keyBytes) + types.hashCode();
    }

    /** Equal numbers of different types are equal. */
    static Operand of(BsonValueView value, IntervalBudget budget) {
        budget.copy(value.length());
        return new Operand(KeyBytes.of(value), List.of());
    }

    /** As above, several values. */
    static Operand of(List<BsonValueView> values, IntervalBudget budget) {
        return new Operand(keyBytes(values, budget), List.of());
    }

    /** Equal numbers of different types differ. */
    static Operand typed(List<BsonValueView> values, IntervalBudget budget) {
        byte[] bytes = keyBytes(values, budget);
        return new Operand(bytes, values.stream().map(BsonValueView::type).toList());
    }

    static Operand ofText(String text, IntervalBudget budget) {
        budget.copy(text.length());
        return new Operand(text.getBytes(StandardCharsets.UTF_8), List.of());
    }

    private static byte[] keyBytes(List<BsonValueView> values, IntervalBudget budget) {
        KeyBytes bytes = new KeyBytes();
        for (BsonValueView value : values) {
            budget.copy(value.length());
            bytes.append(value);
        }
        return bytes.toByteArray();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Operand operand
                && operand.hash == hash
                && Arrays.equals(operand.keyBytes, keyBytes)
                && operand.types.equals(types);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
