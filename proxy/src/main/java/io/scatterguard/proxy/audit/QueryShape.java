package io.scatterguard.proxy.audit;

/**
 * What is left of a command when every literal is taken out of it.
 *
 * @param text the normalised command for people, at most {@link #MAX_TEXT_CHARS} characters
 * @param hash 16 hexadecimal digits over the namespace and the text before it was cut; equal shapes have equal hashes
 */
public record QueryShape(String text, String hash) {
    /** The longest text kept; a longer one ends with an ellipsis. */
    public static final int MAX_TEXT_CHARS = 2_048;
}
