package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.config.ActionChoice;
import io.scatterguard.proxy.config.ActionConfig;
import io.scatterguard.proxy.config.BaselineEntry;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.config.PolicyConfig;
import io.scatterguard.proxy.config.PolicyConfig.CommentExemptions;
import io.scatterguard.proxy.config.PolicyConfig.Mode;
import io.scatterguard.proxy.config.RuleConfig;
import io.scatterguard.proxy.config.RuleMatchConfig;
import io.scatterguard.proxy.config.Stewardship;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A configured policy, ready for judging: immutable, the same answer for the same question. In this order:
 *
 * <ol>
 *   <li>in {@code bypass}, everything passes;
 *   <li>what keeps connections and the cluster going passes, and so do the tools of MongoDB;
 *   <li>the first rule that matches decides, on each statement of a batch; the strictest decision is that on the whole;
 *   <li>where none matches, the default for reads or writes decides on scatter-gather; if that is only an upper bound,
 *       it is logged at most;
 *   <li>what a cluster sharded by the declared keys certainly refuses is logged or refused, in front of a server that is none,
 *       unless the decision so far is at least as strict;
 *   <li>an exemption lifts whatever is not {@code allow} from the statements it matches, unless the rule forbids it;
 *   <li>a refusal is only logged where the query shape is known ({@code baseline}), below the rate of a throttle and outside a
 *       canary; that lifts no refusal of another rule or default from the same command;
 *   <li>it is only logged in {@code observe}, and where no reply is expected unless that is configured.
 * </ol>
 */
public final class CompiledPolicy implements Policy {
    private final PolicyConfig config;
    private final long version;
    private final StatementJudge.Looking executed;
    private final StatementJudge.Looking foreseen;
    private final StatementJudge judge;
    private final Owners owners;
    private final Verdict bypass;
    private final Verdict neverRefused;
    private final Verdict tool;

    private CompiledPolicy(PolicyConfig config, OnUnknown onUnknown, Restraint.Aids aids, long version) {
        this.config = config;
        this.version = version;
        this.executed = new StatementJudge.Looking(aids.evidence(), true);
        this.foreseen = new StatementJudge.Looking(aids.evidence(), false);
        Mode mode = config.mode();
        CompiledRule[] rules = config.rules().stream()
                .map(rule ->
                        new CompiledRule(rule, new Ruling(rule.action(), Ruling.Origin.of(rule), aids, mode, version)))
                .toArray(CompiledRule[]::new);
        boolean refuses = config.wouldFail() == PolicyConfig.WouldFail.REFUSE;
        ActionConfig failing = ActionConfig.plain(refuses ? ActionChoice.REFUSE : ActionChoice.LOG);
        this.judge = new StatementJudge(
                rules,
                new Defaults(config, onUnknown, aids, version),
                new Ruling(failing, Ruling.Origin.noRule(Reasons.WOULD_FAIL), aids, mode, version),
                new Exemptions(config.exemptions(), config.commentExemptions()));
        this.owners = new Owners(config.owners());
        this.bypass = allowed(Reasons.BYPASS, version);
        this.neverRefused = allowed(Reasons.NEVER_REFUSED, version);
        this.tool = allowed(Reasons.TOOL, version);
    }

    /** The policy {@code config} says, with namespaces whose metadata is unknown allowed, and shapes known by name only. */
    public static CompiledPolicy compile(PolicyConfig config, long version) {
        return compile(config, OnUnknown.ALLOW, version);
    }

    /** Likewise, with {@code onUnknown} for a command whose namespace's metadata could not be read. */
    public static CompiledPolicy compile(PolicyConfig config, OnUnknown onUnknown, long version) {
        return compile(config, onUnknown, CommandView::name, new Throttles(), version);
    }

    /**
     * The policy {@code config} says.
     *
     * @param onUnknown what is done with a command whose namespace's metadata could not be read
     * @param evidence finds out what only some rules ask for
     * @param throttles what is left of the rates; one that outlives the policy keeps a reload from filling them up
     * @param version stands on every verdict; the caller counts it up with every change
     */
    public static CompiledPolicy compile(
            PolicyConfig config, OnUnknown onUnknown, Evidence evidence, Throttles throttles, long version) {
        return new CompiledPolicy(config, onUnknown, aids(config, evidence, throttles), version);
    }

    private static Restraint.Aids aids(PolicyConfig config, Evidence evidence, Throttles throttles) {
        return new Restraint.Aids(
                evidence,
                throttles,
                new Baseline(config.baseline()),
                config.refusals().unacknowledged());
    }

    private static Verdict allowed(String reason, long version) {
        return new Verdict(Action.ALLOW, false, null, null, reason, version);
    }

    /** What it was compiled from. */
    public PolicyConfig config() {
        return config;
    }

    @Override
    public long version() {
        return version;
    }

    /**
     * What a person should be told when this policy takes effect, a line each: the exemptions and rules that are over, or
     * will be within 14 days, and how many shapes of the baseline.
     *
     * @param today the present day in UTC
     */
    public List<String> notices(LocalDate today) {
        List<String> notices = new ArrayList<>();
        config.exemptions()
                .forEach(e -> Expiry.announce("exemption", "id=" + e.id(), e.owner(), e.until(), today, notices));
        for (RuleConfig rule : config.rules()) {
            Stewardship steward = rule.stewardship();
            String name = "name=\"" + rule.name() + "\"";
            Expiry.announce("rule", name, steward.owner(), steward.until(), today, notices);
        }
        List<LocalDate> ends = config.baseline().stream()
                .map(BaselineEntry::until)
                .filter(Objects::nonNull)
                .toList();
        Expiry.announceAll("baseline shapes", ends, today, notices);
        return List.copyOf(notices);
    }

    /** Whose findings are whose. */
    public Owners owners() {
        return owners;
    }

    @Override
    public String owner(Route route, ClientInfo client) {
        return owners.of(route, client);
    }

    @Override
    public RefusalTerms refusalTerms(Verdict verdict) {
        boolean exemptible = config.rules().stream()
                        .filter(rule -> rule.name().equals(verdict.rule()))
                        .allMatch(RuleConfig::exemptible)
                && !verdict.reason().equals(Reasons.INTERNAL_ERROR);
        return new RefusalTerms(
                RefusalTerms.Detail.of(config.refusals().detail()),
                exemptible,
                config.commentExemptions() != CommentExemptions.OFF,
                config.refusals().unacknowledged());
    }

    @Override
    public boolean mayRefuse(CommandView command, ClientInfo client) {
        CommandName name = command.commandName();
        boolean readsOrWrites = name.kind() == CommandName.Kind.READ || name.kind() == CommandName.Kind.WRITE;
        // A bulkWrite is always sent to admin, whatever it writes to.
        boolean ownData = readsOrWrites
                && name != CommandName.BULK_WRITE
                && command.namespace().isAdministrative();
        return isEnforcing() && RuleMatchConfig.isJudged(name) && !ownData && !isTool(client);
    }

    private boolean isTool(ClientInfo client) {
        return config.tools() == PolicyConfig.Tools.ALLOW && KnownTools.contains(client.appName());
    }

    @Override
    public boolean isBypass() {
        return config.mode() == Mode.BYPASS;
    }

    @Override
    public boolean isEnforcing() {
        return config.mode() == Mode.ENFORCE;
    }

    @Override
    public Verdict decide(CommandView command, Route route, ClientInfo client, Instant now) {
        return decide(command, route, null, client, now);
    }

    @Override
    public Verdict decide(
            CommandView command, Route route, @Nullable WouldFail wouldFail, ClientInfo client, Instant now) {
        return decide(command, route, wouldFail, client, now, executed);
    }

    @Override
    public Verdict foresee(
            CommandView command, Route route, @Nullable WouldFail wouldFail, ClientInfo client, Instant now) {
        return decide(command, route, wouldFail, client, now, foreseen);
    }

    private Verdict decide(
            CommandView command,
            Route route,
            @Nullable WouldFail wouldFail,
            ClientInfo client,
            Instant now,
            StatementJudge.Looking looking) {
        if (isBypass()) {
            return bypass;
        }
        CommandName name = command.commandName();
        if (!isJudged(name, route)) {
            return neverRefused;
        }
        if (isTool(client)) {
            return tool;
        }
        Verdict verdict = judge.judge(command, route, wouldFail, client, now, looking);
        return verdict == null ? neverRefused : verdict;
    }

    /**
     * Whether any rule may apply. On the server's own databases, only to what reaches everything by its nature and runs
     * nowhere else, like {@code listDatabases}. A {@code bulkWrite} is always sent to {@code admin}: what it writes to
     * decides, and where that is not known, it is judged; of several collections each statement's decides for itself.
     */
    private static boolean isJudged(CommandName name, Route route) {
        if (route.kind() == Route.Kind.NOT_ROUTED || !RuleMatchConfig.isJudged(name)) {
            return false;
        }
        boolean unresolved =
                name == CommandName.BULK_WRITE && route.namespace().collection().isEmpty();
        boolean several = route.worst().subject() != null;
        if (unresolved || several || !route.namespace().isAdministrative()) {
            return true;
        }
        boolean readsOrWrites = name.kind() == CommandName.Kind.READ || name.kind() == CommandName.Kind.WRITE;
        return route.isIntrinsic() && !readsOrWrites;
    }
}
