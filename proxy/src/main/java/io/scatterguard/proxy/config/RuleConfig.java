package io.scatterguard.proxy.config;

/**
 * One rule of the policy.
 *
 * @param name unique among the rules; stands on every record of a command it matched
 * @param match what it is about
 * @param action what is done
 * @param exemptible whether an exemption may lift it
 * @param stewardship why it is there, and for how long
 */
public record RuleConfig(
        String name, RuleMatchConfig match, ActionConfig action, boolean exemptible, Stewardship stewardship) {
    public RuleConfig {
        new Requirements().line("name", name).check();
    }
}
