package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.proxy.config.RuleMatchConfig.CertaintyChoice;
import io.scatterguard.proxy.config.RuleMatchConfig.ShapeChoice;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the {@code policy} section. */
final class PolicyReader {
    private static final String THROTTLE = "throttle";

    private PolicyReader() {}

    static PolicyConfig policy(Section section) {
        PolicyConfig standard = PolicyConfig.standard();
        Section defaults = section.child("default");
        List<RuleConfig> rules =
                section.children("rules").stream().map(PolicyReader::rule).toList();
        List<ExemptionConfig> exemptions = section.children("exemptions").stream()
                .map(PolicyReader::exemption)
                .toList();
        return section.build(() -> new PolicyConfig(
                        section.choice("mode", PolicyConfig.Mode.class).orElse(standard.mode()),
                        new PolicyConfig.Defaults(
                                action(defaults, "reads")
                                        .orElse(standard.defaults().reads()),
                                action(defaults, "writes")
                                        .orElse(standard.defaults().writes())),
                        rules,
                        exemptions,
                        section.choice("commentExemptions", PolicyConfig.CommentExemptions.class)
                                .orElse(standard.commentExemptions()),
                        section.choice("tools", PolicyConfig.Tools.class).orElse(standard.tools()),
                        section.choice("wouldFail", PolicyConfig.WouldFail.class)
                                .orElse(standard.wouldFail()),
                        section.choice("onInternalError", PolicyConfig.OnInternalError.class)
                                .orElse(standard.onInternalError()),
                        refusals(section)))
                .orElse(standard);
    }

    private static RefusalConfig refusals(Section section) {
        return new RefusalConfig(
                section.choice("refusalDetail", RefusalConfig.Detail.class).orElse(RefusalConfig.STANDARD.detail()),
                section.flag("refuseUnacknowledged", RefusalConfig.STANDARD.unacknowledged()));
    }

    private static Optional<ActionChoice> action(Section section, String key) {
        return section.choice(key, ActionChoice.class, THROTTLE);
    }

    /** The rule, with a stand-in of its own for a name that is wrong: a rule left out would shift those after it. */
    private static RuleConfig rule(Section section) {
        section.require("action", Choice.expected(ActionChoice.class));
        section.require("name", "a name");
        Optional<String> name = section.text("name");
        Optional<ActionChoice> action = action(section, "action");
        RuleMatchConfig match = ruleMatch(section.child("match"));
        boolean exemptible = section.flag("exemptible", true);
        String standIn = "stand-in for " + section.path();
        return section.build(
                        () -> new RuleConfig(name.orElse(standIn), match, action.orElse(ActionChoice.LOG), exemptible))
                .orElse(new RuleConfig(standIn, match, ActionChoice.LOG, exemptible));
    }

    private static RuleMatchConfig ruleMatch(Section section) {
        SelectorConfig selector = selector(section);
        List<ShapeChoice> shapes = section.choices("shape", ShapeChoice.class);
        CertaintyChoice certainty =
                section.choice("certainty", CertaintyChoice.class).orElse(CertaintyChoice.EXACT);
        return section.build(() -> new RuleMatchConfig(selector, shapes, certainty))
                .orElse(RuleMatchConfig.any());
    }

    private static ExemptionConfig exemption(Section section) {
        section.require("id", ExemptionConfig.ID_EXPECTED);
        Optional<String> id = section.text("id", ExemptionConfig.ID_EXPECTED, ExemptionConfig.ID.asMatchPredicate());
        Section matchSection = section.child("match");
        SelectorConfig match = selector(matchSection);
        // A match that selects all because what it names was wrong is not empty besides.
        boolean none = !section.has("match") || (match.isAll() && !matchSection.isEmpty());
        Optional<String> reason = section.text("reason");
        Optional<String> owner = section.text("owner");
        Optional<LocalDate> until =
                section.value("until", "a date like 2027-03-31, the last day it applies", LocalDate::parse);
        String standIn = "stand-in" + section.path().replaceAll("[^A-Za-z0-9]+", "-") + "x";
        return section.build(() -> new ExemptionConfig(
                        id.orElse(standIn),
                        none ? null : match,
                        reason.orElse(null),
                        owner.orElse(null),
                        until.orElse(null)))
                .orElse(new ExemptionConfig(standIn, null, null, null, null));
    }

    private static SelectorConfig selector(Section section) {
        List<String> namespaces = section.values("namespace", text -> "a glob on db.coll", Function.identity());
        List<CommandName> commands =
                section.values("commands", PolicyReader::expectedCommand, PolicyReader::parseCommand);
        Optional<String> appName = section.text("appName");
        Optional<String> user = section.text("user");
        return section.build(() -> new SelectorConfig(namespaces, commands, appName.orElse(null), user.orElse(null)))
                .orElse(SelectorConfig.ALL);
    }

    private static CommandName parseCommand(String text) {
        CommandName name = CommandName.of(text);
        if (name == CommandName.UNKNOWN) {
            throw new IllegalArgumentException("not a command");
        }
        return name;
    }

    private static String expectedCommand(String text) {
        List<String> known = Arrays.stream(CommandName.values())
                .filter(name -> name != CommandName.UNKNOWN)
                .map(CommandName::text)
                .toList();
        return "the name of a command"
                + NearestName.of(text, known)
                        .map(name -> "; did you mean \"" + name + "\"?")
                        .orElse(", like find or update");
    }
}
