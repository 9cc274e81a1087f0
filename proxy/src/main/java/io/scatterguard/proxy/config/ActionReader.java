package io.scatterguard.proxy.config;

import java.util.Optional;

/** Reads what rules and the default do. */
final class ActionReader {
    private ActionReader() {}

    /** The action of a rule; {@code log} stands in for one that is wrong, which is reported. */
    static ActionConfig ofRule(Section section) {
        section.require("action", Choice.expected(ActionChoice.class));
        Optional<ActionChoice> choice = section.choice("action", ActionChoice.class);
        Optional<RateConfig> rate = section.value("rate", RateConfig.EXPECTED, RateConfig::parse);
        Optional<Integer> canary = section.value("canary", ActionConfig.CANARY_EXPECTED, ActionConfig::parseCanary);
        if (choice.isEmpty() || (section.has("rate") && rate.isEmpty())) {
            return ActionConfig.plain(ActionChoice.LOG);
        }
        return section.build(() -> new ActionConfig(choice.get(), rate.orElse(null), canary.orElse(ActionConfig.WHOLE)))
                .orElse(ActionConfig.plain(ActionChoice.LOG));
    }

    static PolicyConfig.Defaults defaults(Section section) {
        PolicyConfig.Defaults standard = PolicyConfig.Defaults.LOG;
        ActionChoice reads = section.choice("reads", ActionChoice.class).orElse(standard.reads());
        ActionChoice writes = section.choice("writes", ActionChoice.class).orElse(standard.writes());
        Optional<RateConfig> rate = section.value("rate", RateConfig.EXPECTED, RateConfig::parse);
        if (section.has("rate") && rate.isEmpty()) {
            return standard;
        }
        return section.build(() -> new PolicyConfig.Defaults(reads, writes, rate.orElse(null)))
                .orElse(standard);
    }
}
