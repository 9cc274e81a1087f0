package io.scatterguard.proxy.summary;

import io.scatterguard.proxy.config.ExemptionConfig;
import io.scatterguard.proxy.policy.ExemptionState;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Exemptions in use, and those of a configuration, in one list. */
final class ExemptionList {
    /** What ends first comes first, then what is used most. */
    private static final Comparator<Summary.Exemption> ORDER = Comparator.comparing(
                    (Summary.Exemption exemption) -> Objects.requireNonNullElse(exemption.until(), LocalDate.MAX))
            .thenComparing(Comparator.comparingLong(Summary.Exemption::times).reversed())
            .thenComparing(Summary.Exemption::id);

    private ExemptionList() {}

    /** @param known those of the configuration; null if there is none */
    static Summary.Exemptions of(ExemptionUses uses, @Nullable List<ExemptionConfig> known, LocalDate today) {
        Map<String, ExemptionUses.Use> open = new HashMap<>(uses.uses());
        List<Summary.Exemption> all = new ArrayList<>();
        for (ExemptionConfig config : known == null ? List.<ExemptionConfig>of() : known) {
            ExemptionUses.Use use = open.remove(config.id());
            all.add(row(config.id(), config, use == null ? ExemptionUses.Use.NONE : use, today));
        }
        open.forEach((id, use) -> all.add(row(id, null, use, today)));
        all.sort(ORDER);
        return new Summary.Exemptions(all, uses.unnamed(), known != null);
    }

    private static Summary.Exemption row(
            String id, @Nullable ExemptionConfig config, ExemptionUses.Use use, LocalDate today) {
        return new Summary.Exemption(
                id,
                config == null ? null : ExemptionState.of(config.until(), today),
                config == null ? null : config.until(),
                config == null ? null : config.owner(),
                use.recorded() + use.counted(),
                use.counted(),
                use.shardMicros(),
                use.last());
    }
}
