package io.scatterguard.proxy.audit;

import static io.scatterguard.proxy.audit.AuditPipelineTest.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.audit.AuditSettings.Recording;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class StdoutSinkTest {
    private static final List<byte[]> LINES =
            List.of("a\n".getBytes(StandardCharsets.UTF_8), "b\n".getBytes(StandardCharsets.UTF_8));

    /** Standard output as a program sees it whose reader comes and goes. */
    private static final class Pipe extends ByteArrayOutputStream {
        volatile boolean broken;
        volatile int writes;
        volatile boolean closed;

        @Override
        public synchronized void write(byte[] bytes) throws IOException {
            writes++;
            if (broken) {
                super.write(bytes, 0, 1);
                throw new IOException("Resource temporarily unavailable");
            }
            super.write(bytes, 0, bytes.length);
        }

        @Override
        public void close() {
            closed = true;
        }

        List<String> lines() {
            return toString(StandardCharsets.UTF_8).lines().toList();
        }
    }

    @Test
    void aBatchIsOneWriteAndTheStreamStaysOpen() throws IOException {
        Pipe out = new Pipe();
        try (StdoutSink sink = new StdoutSink(out, WhenFull.DROP)) {
            sink.write(LINES);
            sink.flush();
        }

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a\nb\n");
        assertThat(out.writes).isEqualTo(1);
        assertThat(out.closed).isFalse();
    }

    @Test
    void aFailureIsAnErrorOfItsBatchOnly() throws IOException {
        Pipe out = new Pipe();
        try (StdoutSink sink = new StdoutSink(out, WhenFull.DROP)) {
            out.broken = true;
            assertThatThrownBy(() -> sink.write(LINES)).isInstanceOf(IOException.class);
            out.broken = false;
            sink.write(LINES);
            sink.flush();
            sink.write(LINES);
        }

        assertThat(out.lines()).as("what was cut off is a line of its own").containsExactly("a", "a", "b", "a", "b");
    }

    @Test
    void oneFailureCostsOneGap() {
        Pipe out = new Pipe();
        AuditPipeline pipeline =
                Given.pipeline(Given.settings(Recording.FINDINGS, 10), new StdoutSink(out, WhenFull.DROP));
        out.broken = true;
        record(pipeline);
        await().until(() -> pipeline.dropped() == 1);
        out.broken = false;
        record(pipeline, 3);
        await().until(() -> pipeline.recorded() == 3);
        record(pipeline);
        pipeline.close();

        assertThat(pipeline.sinks()).singleElement().satisfies(sink -> {
            assertThat(sink.written()).isEqualTo(4);
            assertThat(sink.errors()).isEqualTo(1);
        });
        assertThat(out.lines().subList(1, 6))
                .extracting(line -> AuditPipelineTest.seqOrGap(line + "\n"))
                .containsExactly("1-1 (1)", "2", "3", "4", "5");
    }
}
