package io.scatterguard.proxy.config;

import io.scatterguard.proxy.config.RouteMatchConfig.NoteChoice;
import io.scatterguard.proxy.config.RouteMatchConfig.PlacementChoice;
import io.scatterguard.proxy.config.RuleMatchConfig.CertaintyChoice;
import io.scatterguard.proxy.config.RuleMatchConfig.ShapeChoice;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads the {@code policy} section. */
final class PolicyReader {
    private static final String UNTIL = "a date like 2027-03-31, the last day it applies";

    private PolicyReader() {}

    static PolicyConfig policy(Section section) {
        PolicyConfig standard = PolicyConfig.standard();
        PolicyConfig.Defaults defaults = ActionReader.defaults(section.child("default"));
        List<RuleConfig> rules =
                section.children("rules").stream().map(PolicyReader::rule).toList();
        List<ExemptionConfig> exemptions = section.children("exemptions").stream()
                .map(PolicyReader::exemption)
                .toList();
        List<OwnerConfig> owners =
                section.children("owners").stream().map(PolicyReader::owner).toList();
        return section.build(() -> new PolicyConfig(
                        section.choice("mode", PolicyConfig.Mode.class).orElse(standard.mode()),
                        defaults,
                        rules,
                        exemptions,
                        owners,
                        section.choice("commentExemptions", PolicyConfig.CommentExemptions.class)
                                .orElse(standard.commentExemptions()),
                        section.choice("tools", PolicyConfig.Tools.class).orElse(standard.tools()),
                        section.choice("wouldFail", PolicyConfig.WouldFail.class)
                                .orElse(standard.wouldFail()),
                        section.choice("onInternalError", PolicyConfig.OnInternalError.class)
                                .orElse(standard.onInternalError())))
                .orElse(standard);
    }

    /** The rule, with a stand-in of its own for a name that is wrong: a rule left out would shift those after it. */
    private static RuleConfig rule(Section section) {
        ActionConfig action = ActionReader.ofRule(section);
        section.require("name", "a name");
        Optional<String> name = section.text("name");
        RuleMatchConfig match = ruleMatch(section.child("match"));
        boolean exemptible = section.flag("exemptible", true);
        Stewardship stewardship = stewardship(section);
        String standIn = "stand-in for " + section.path();
        return section.build(() -> new RuleConfig(name.orElse(standIn), match, action, exemptible, stewardship))
                .orElse(new RuleConfig(standIn, match, action, exemptible, stewardship));
    }

    private static Stewardship stewardship(Section section) {
        Optional<String> reason = section.text("reason");
        Optional<String> owner = section.text("owner");
        Optional<LocalDate> until = section.value("until", UNTIL, LocalDate::parse);
        return section.build(() -> new Stewardship(reason.orElse(null), owner.orElse(null), until.orElse(null)))
                .orElse(Stewardship.NONE);
    }

    private static RuleMatchConfig ruleMatch(Section section) {
        SelectorConfig selector = SelectorReader.selector(section);
        List<ShapeChoice> shapes = section.choices("shape", ShapeChoice.class);
        CertaintyChoice certainty =
                section.choice("certainty", CertaintyChoice.class).orElse(CertaintyChoice.EXACT);
        RouteMatchConfig route = routeMatch(section);
        return section.build(() -> new RuleMatchConfig(selector, shapes, certainty, route))
                .orElse(RuleMatchConfig.any());
    }

    private static RouteMatchConfig routeMatch(Section section) {
        List<PlacementChoice> placements = section.choices("placement", PlacementChoice.class);
        List<NoteChoice> notes = section.choices("notes", NoteChoice.class);
        int minShards = section.integer("minShards", 0);
        if (section.has("minShards") && minShards == 0) {
            section.problem("minShards", "0 (expected: 1..10000)");
        }
        return section.build(() -> new RouteMatchConfig(placements, minShards, notes))
                .orElse(RouteMatchConfig.NONE);
    }

    private static OwnerConfig owner(Section section) {
        section.require("owner", "the name of a team");
        Optional<String> owner = section.text("owner");
        List<String> namespaces = section.values("namespace", text -> "a glob on db.coll", Function.identity());
        Optional<String> user = section.text("user");
        Optional<String> appName = section.text("appName");
        String standIn = "stand-in for " + section.path();
        return section.build(() ->
                        new OwnerConfig(owner.orElse(standIn), namespaces, user.orElse(null), appName.orElse(null)))
                .orElse(new OwnerConfig(standIn, List.of(), null, null));
    }

    private static ExemptionConfig exemption(Section section) {
        section.require("id", ExemptionConfig.ID_EXPECTED);
        Optional<String> id = section.text("id", ExemptionConfig.ID_EXPECTED, ExemptionConfig.ID.asMatchPredicate());
        Section matchSection = section.child("match");
        SelectorConfig match = SelectorReader.selector(matchSection);
        // A match that selects all because what it names was wrong is not empty besides.
        boolean none = !section.has("match") || (match.isAll() && !matchSection.isEmpty());
        Optional<String> reason = section.text("reason");
        Optional<String> owner = section.text("owner");
        Optional<LocalDate> until = section.value("until", UNTIL, LocalDate::parse);
        String standIn = "stand-in" + section.path().replaceAll("[^A-Za-z0-9]+", "-") + "x";
        return section.build(() -> new ExemptionConfig(
                        id.orElse(standIn),
                        none ? null : match,
                        reason.orElse(null),
                        owner.orElse(null),
                        until.orElse(null)))
                .orElse(new ExemptionConfig(standIn, null, null, null, null));
    }
}
