package io.scatterguard.proxy.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class FixedServersTest {
    private static final InetSocketAddress A = InetSocketAddress.createUnresolved("a", 1);
    private static final InetSocketAddress B = InetSocketAddress.createUnresolved("b", 2);
    private static final InetSocketAddress C = InetSocketAddress.createUnresolved("c", 3);

    /** As they followed each other before: the hash names the first, the others come in order. */
    @Test
    void theHashNamesTheFirstAndTheOthersFollowInOrder() {
        FixedServers servers = new FixedServers(List.of(A, B, C));
        assertThat(servers.servers(0)).isCompletedWithValue(List.of(A, B, C));
        assertThat(servers.servers(4)).isCompletedWithValue(List.of(B, C, A));
        assertThat(servers.servers(-1)).isCompletedWithValue(List.of(C, A, B));
        assertThat(servers.servers(Integer.MIN_VALUE)).isDone();
    }

    @Test
    void thereIsAtLeastOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FixedServers(List.of()))
                .withMessageContaining("expected: at least one");
    }
}
