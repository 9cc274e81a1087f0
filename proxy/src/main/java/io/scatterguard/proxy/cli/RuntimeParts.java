package io.scatterguard.proxy.cli;

import io.netty.buffer.ByteBufAllocator;
import io.scatterguard.proxy.audit.AuditSink;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Router;
import io.scatterguard.proxy.tls.TlsOptions;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The parts of a {@link ProxyRuntime} that can be replaced.
 *
 * @param router predicts
 * @param policy wraps the configured policy
 * @param allocator of both sides' buffers
 * @param sinks audit sinks besides the configured ones
 * @param tls how TLS is done
 */
public record RuntimeParts(
        Router router,
        UnaryOperator<Policy> policy,
        ByteBufAllocator allocator,
        List<AuditSink> sinks,
        TlsOptions tls) {
    public RuntimeParts {
        sinks = List.copyOf(sinks);
    }

    /** What {@code serve} runs with. */
    public static RuntimeParts standard() {
        return new RuntimeParts(
                new KeyRouter(), UnaryOperator.identity(), ByteBufAllocator.DEFAULT, List.of(), TlsOptions.standard());
    }

    public RuntimeParts withRouter(Router other) {
        return new RuntimeParts(other, policy, allocator, sinks, tls);
    }

    public RuntimeParts withPolicy(UnaryOperator<Policy> other) {
        return new RuntimeParts(router, other, allocator, sinks, tls);
    }

    public RuntimeParts withAllocator(ByteBufAllocator other) {
        return new RuntimeParts(router, policy, other, sinks, tls);
    }

    public RuntimeParts withSink(AuditSink sink) {
        return new RuntimeParts(router, policy, allocator, List.of(sink), tls);
    }

    public RuntimeParts withTls(TlsOptions other) {
        return new RuntimeParts(router, policy, allocator, sinks, other);
    }
}
