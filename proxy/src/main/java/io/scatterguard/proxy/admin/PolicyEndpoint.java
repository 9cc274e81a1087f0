package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.policy.CompiledPolicy;
import java.util.function.Supplier;

/** {@code /api/v1/policy}: the policy in force. */
public final class PolicyEndpoint implements Endpoint {
    private record InForce(long version, PolicyConfig policy) {}

    private final Supplier<CompiledPolicy> policy;

    /** {@code policy}: that in force at the time of asking. */
    public PolicyEndpoint(Supplier<CompiledPolicy> policy) {
        this.policy = policy;
    }

    @Override
    public String path() {
        return "/api/v1/policy";
    }

    @Override
    public Answer answer(Question question) {
        CompiledPolicy current = policy.get();
        return Answer.json(new InForce(current.version(), current.config()));
    }
}
