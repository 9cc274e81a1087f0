package io.scatterguard.proxy.policy;

import io.scatterguard.proxy.config.ActionConfig;

/**
 * A stable part of all query shapes: whether a shape is in it depends on the rule's name, the shape's hash and nothing else,
 * and a shape that is in a smaller part is in every larger one of the same rule.
 */
final class Canary {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private Canary() {}

    /**
     * Whether a shape is in the part.
     *
     * @param part in hundredths of a percent, 1..10,000
     */
    static boolean holds(String rule, String shapeHash, int part) {
        return part >= ActionConfig.WHOLE || Long.remainderUnsigned(mixed(rule, shapeHash), ActionConfig.WHOLE) < part;
    }

    /** FNV-1a over rule, a line feed and hash, then the finalizer of MurmurHash3, without which near texts are near. */
    private static long mixed(String rule, String shapeHash) {
        long hash = add(FNV_OFFSET, rule);
        hash = add((hash ^ '\n') * FNV_PRIME, shapeHash);
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }

    private static long add(long hash, String text) {
        long sum = hash;
        for (int i = 0; i < text.length(); i++) {
            sum = (sum ^ text.charAt(i)) * FNV_PRIME;
        }
        return sum;
    }
}
