package io.scatterguard.tests.fuzz.wire;

/** A target with a fault: some inputs that no corpus holds. */
public final class PlantedFaultTarget {
    private PlantedFaultTarget() {}

    /** Called by Jazzer for every input. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 4 && input[0] == 'F' && input[1] == 'U' && input[2] == 'Z' && input[3] == 'Z') {
            throw new IllegalStateException("planted");
        }
    }
}
