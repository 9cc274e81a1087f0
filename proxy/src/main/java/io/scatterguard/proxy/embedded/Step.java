package io.scatterguard.proxy.embedded;

/**
 * One step of the {@link DemoTour} that went as expected.
 *
 * @param number from 1
 * @param asked the command in shell syntax
 * @param cameBack what came back: a count with its noun, or the {@code errmsg} of the refusal
 * @param refused whether the command was refused
 */
public record Step(int number, String asked, String cameBack, boolean refused) {
    /** The step as one line for people. */
    public String line() {
        return String.format("%d  %s  ->  %s", number, asked, refused ? "refused: " + cameBack : cameBack);
    }
}
