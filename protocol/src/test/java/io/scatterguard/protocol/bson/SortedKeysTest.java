package io.scatterguard.protocol.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SortedKeysTest {
    private final long seed = Long.getLong("scatterguard.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private static SortedKeys packed(Iterable<byte[]> keys) {
        SortedKeys.Builder builder = new SortedKeys.Builder();
        keys.forEach(builder::add);
        return builder.build();
    }

    /** Few different bytes, so that beginnings are shared and keys are beginnings of others. */
    private byte[] randomKey(int sharedBytes, int maxRest, boolean equallyLong) {
        byte[] key = new byte[sharedBytes + (equallyLong ? maxRest : random.nextInt(maxRest + 1))];
        for (int i = sharedBytes; i < key.length; i++) {
            key[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt(3) - 1 : 0);
        }
        return key;
    }

    private static int floorOneByOne(List<byte[]> keys, byte[] key) {
        int floor = -1;
        while (floor + 1 < keys.size() && KeyBytes.compare(keys.get(floor + 1), key) <= 0) {
            floor++;
        }
        return floor;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void findsWhatAWalkOverAllFinds(boolean equallyLong) {
        for (int round = 0; round < 400; round++) {
            int shared = random.nextInt(4);
            int maxRest = random.nextInt(20);
            TreeSet<byte[]> distinct = new TreeSet<>(KeyBytes::compare);
            for (int i = random.nextInt(40); i >= 0; i--) {
                distinct.add(randomKey(shared, maxRest, equallyLong));
            }
            List<byte[]> keys = new ArrayList<>(distinct);
            SortedKeys packed = packed(keys);
            List<byte[]> asked = new ArrayList<>(keys);
            for (int i = 0; i < 40; i++) {
                asked.add(randomKey(random.nextInt(shared + 1), maxRest + 2, false));
            }
            for (byte[] key : asked) {
                int expected = floorOneByOne(keys, key);
                assertThat(packed.floor(key)).as("seed %d", seed).isEqualTo(expected);
                assertThat(packed.floor(new KeyBytes(1).append(key).append(new byte[9])))
                        .as("seed %d, with a rest that was taken back", seed)
                        .isGreaterThanOrEqualTo(expected);
                KeyBytes longer = new KeyBytes(1).append(key).append(new byte[] {1, 2, 3});
                longer.truncate(key.length);
                assertThat(packed.floor(longer)).as("seed %d", seed).isEqualTo(expected);
            }
            for (int i = 0; i < keys.size(); i++) {
                assertThat(packed.get(i)).as("seed %d", seed).isEqualTo(keys.get(i));
            }
        }
    }

    @Test
    void keysOfManyBytesAreFoundToo() {
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            byte[] key = new byte[2_000 + i % 7];
            key[0] = (byte) i;
            keys.add(key);
        }
        SortedKeys packed = packed(keys);
        for (int i = 0; i < keys.size(); i++) {
            assertThat(packed.floor(keys.get(i))).isEqualTo(i);
            assertThat(packed.get(i)).isEqualTo(keys.get(i));
        }
    }

    @Test
    void partsOfWhatWasAddedCanBeBuiltAndForgotten() {
        SortedKeys.Builder builder = new SortedKeys.Builder();
        for (int i = 0; i < 300; i++) {
            builder.add(new byte[] {7, (byte) (i >> 8), (byte) i});
        }
        SortedKeys middle = builder.build(100, 200);
        builder.removeFirst(250).add(middle.size() == 100 ? new byte[] {8} : new byte[] {9});
        assertThat(middle.get(0)).containsExactly(7, 0, 100);
        assertThat(builder.size()).isEqualTo(51);
        assertThat(builder.keyBytes()).isEqualTo(50 * 3 + 1);
        assertThat(builder.build().get(0)).containsExactly(7, 0, (byte) 250);
        assertThat(builder.build().get(50)).containsExactly(8);
        SortedKeys.Builder copy = new SortedKeys.Builder().add(middle, 5).add(middle, 99);
        assertThat(copy.build().get(0)).containsExactly(7, 0, 105);
        assertThat(copy.build().get(1)).containsExactly(7, 0, (byte) 199);
    }

    @Test
    void noKeyAtAllIsBelowEveryKey() {
        SortedKeys none = new SortedKeys.Builder().build();
        assertThat(none.size()).isZero();
        assertThat(none.floor(new byte[] {1})).isEqualTo(-1);
        assertThat(none.floor(new byte[0])).isEqualTo(-1);
    }

    @Test
    void refusesWhatDoesNotAscend() {
        SortedKeys.Builder builder = new SortedKeys.Builder().add(new byte[] {5, 0});
        for (byte[] key : new byte[][] {{5, 0}, {5}, {4, 9}, {}}) {
            assertThatThrownBy(() -> builder.add(key))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("key 1: not above the one before it");
        }
    }
}
