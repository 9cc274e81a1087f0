package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.config.ExemptionConfig;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.ExemptionState;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Supplier;

/** {@code /api/v1/exemptions}: the registered exemptions, and which of them are about to end. */
public final class ExemptionsEndpoint implements Endpoint {
    private record Registered(String state, ExemptionConfig exemption) {}

    private record Exemptions(List<Registered> exemptions) {}

    private final Supplier<CompiledPolicy> policy;
    private final Clock clock;

    /** {@code policy}: that in force at the time of asking. */
    public ExemptionsEndpoint(Supplier<CompiledPolicy> policy, Clock clock) {
        this.policy = policy;
        this.clock = clock;
    }

    @Override
    public String path() {
        return "/api/v1/exemptions";
    }

    @Override
    public Answer answer(Question question) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        return Answer.json(new Exemptions(policy.get().config().exemptions().stream()
                .map(exemption -> new Registered(
                        ExemptionState.of(exemption.until(), today).text(), exemption))
                .toList()));
    }
}
