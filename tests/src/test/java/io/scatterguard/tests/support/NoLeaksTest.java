package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.tests.leaks.LeakReports;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NoLeaksTest {
    /** What other classes lost must not count here; their own check has looked already. */
    @BeforeEach
    void forgetOthers() {
        assertThat(LeakReports.collect()).isEmpty();
    }

    @Test
    void aLostBufferIsReportedWithTheTraceOfItsUse() {
        lose("of the trace");
        assertThat(LeakReports.collect())
                .singleElement()
                .asString()
                .contains("ByteBuf", "of the trace", NoLeaksTest.class.getName());
        assertThat(LeakReports.collect()).isEmpty();
    }

    @Test
    void aReleasedOrHeldBufferIsNot() {
        ByteBuf held = ByteBufAllocator.DEFAULT.directBuffer(8);
        ByteBufAllocator.DEFAULT.directBuffer(8).release();
        assertThat(LeakReports.collect()).isEmpty();
        held.release();
    }

    @Test
    void aClassThatLosesABufferFails() {
        assertThat(TestRuns.failuresOf(Losing.class)).singleElement().asString().contains("1 leaked", "of the sample");
        assertThat(TestRuns.failuresOf(Releasing.class)).isEmpty();
    }

    private static void lose(String hint) {
        ByteBufAllocator.DEFAULT.directBuffer(8).touch(hint);
    }

    static class Losing {
        @Test
        void sample() {
            lose("of the sample");
        }
    }

    static class Releasing {
        @Test
        void sample() {
            ByteBufAllocator.DEFAULT.directBuffer(8).release();
        }
    }
}
