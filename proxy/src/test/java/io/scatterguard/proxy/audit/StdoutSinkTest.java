package io.scatterguard.proxy.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class StdoutSinkTest {
    private static final List<byte[]> LINES =
            List.of("a\n".getBytes(StandardCharsets.UTF_8), "b\n".getBytes(StandardCharsets.UTF_8));

    @Test
    void writesLinesAndLeavesTheStreamOpen() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        try (StdoutSink sink = new StdoutSink(out, WhenFull.DROP)) {
            sink.write(LINES);
            sink.flush();
        }
        out.print("still open");
        out.flush();

        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("a\nb\nstill open");
    }

    /** A PrintStream swallows its errors: a closed pipe must count all the same. */
    @Test
    void aClosedPipeIsAnError() throws IOException {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        try (StdoutSink sink = new StdoutSink(new PrintStream(closed, true, StandardCharsets.UTF_8), WhenFull.DROP)) {
            assertThatThrownBy(() -> sink.write(LINES))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("stdout");
        }
    }
}
