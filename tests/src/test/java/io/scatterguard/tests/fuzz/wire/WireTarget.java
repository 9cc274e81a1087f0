package io.scatterguard.tests.fuzz.wire;

import io.scatterguard.proxy.net.ProxyHeaderTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The targets of coverage-guided fuzzing. */
enum WireTarget {
    FRAMES(FramesTarget.class),
    COMMAND(CommandTarget.class),
    FILTER(FilterTarget.class),
    DECOMPRESSION(DecompressionTarget.class),
    PROXY_HEADER(ProxyHeaderTarget.class);

    private final Class<?> type;

    WireTarget(Class<?> type) {
        this.type = type;
    }

    /** The class whose {@code fuzzerTestOneInput} Jazzer calls. */
    Class<?> type() {
        return type;
    }

    /** As properties and files name it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Runs one input; throws if it breaks something. */
    void run(byte[] input) {
        switch (this) {
            case FRAMES -> FramesTarget.fuzzerTestOneInput(input);
            case COMMAND -> CommandTarget.fuzzerTestOneInput(input);
            case FILTER -> FilterTarget.fuzzerTestOneInput(input);
            case DECOMPRESSION -> DecompressionTarget.fuzzerTestOneInput(input);
            case PROXY_HEADER -> ProxyHeaderTarget.fuzzerTestOneInput(input);
        }
    }

    /** Everything that is known for this target: from captures and vectors, from fuzzing, and what was found. */
    List<byte[]> inputs() {
        List<byte[]> inputs = new ArrayList<>(Seeds.of(this));
        inputs.addAll(Corpus.inputs(text() + ".corpus"));
        inputs.addAll(Corpus.inputs(text() + ".findings"));
        return inputs;
    }

    @Override
    public String toString() {
        return text();
    }
}
