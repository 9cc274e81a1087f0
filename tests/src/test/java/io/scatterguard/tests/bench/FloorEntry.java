package io.scatterguard.tests.bench;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The yardstick: a look-up of the same keys in a {@link java.util.TreeMap} of the same chunks, the key bytes made before. */
@State(Scope.Thread)
public class FloorEntry {
    private NavigableMap<byte[], Integer> tree = Collections.emptyNavigableMap();
    private byte[][] keys = new byte[0][];
    private int next;

    @Setup
    public void prepare() {
        Orders orders = new Orders(Orders.CHUNKS);
        tree = orders.tree();
        keys = orders.keys(RouteAndVerdict.COMMANDS).stream()
                .map(OrderKey::bytes)
                .toArray(byte[][]::new);
        // What is left of the setup lies between the entries otherwise.
        System.gc();
    }

    @Benchmark
    public Map.Entry<byte[], Integer> floorEntry() {
        byte[] key = keys[next];
        next = next + 1 == keys.length ? 0 : next + 1;
        return tree.floorEntry(key);
    }
}
