package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandName;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.StatementSubject;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges every statement of a command by itself: by the first rule that matches it, else by the default, unless an exemption
 * lifts that. The strictest of what is left is the decision on the whole command.
 */
final class StatementJudge {
    private final CompiledRule[] rules;
    private final Defaults defaults;
    private final Ruling wouldFail;
    private final Exemptions exemptions;
    private final boolean looksAtNotes;
    private final boolean looksCloser;

    /**
     * How a command is looked at.
     *
     * @param counts see {@link Question}
     */
    record Looking(Evidence evidence, boolean counts) {}

    /** @param wouldFail the ruling on what a cluster would certainly refuse */
    StatementJudge(CompiledRule[] rules, Defaults defaults, Ruling wouldFail, Exemptions exemptions) {
        this.rules = rules;
        this.defaults = defaults;
        this.wouldFail = wouldFail;
        this.exemptions = exemptions;
        this.looksAtNotes = Arrays.stream(rules).anyMatch(CompiledRule::looksAtNotes);
        this.looksCloser = looksAtNotes
                || exemptions.looksAtComments()
                || Arrays.stream(rules).anyMatch(CompiledRule::looksAtComments);
    }

    /**
     * The verdict on {@code command}, which is borrowed; null if nothing applies to any of its statements.
     *
     * @param failing what a cluster would refuse; null if nothing
     * @param looking how the command is looked at
     */
    @Nullable Verdict judge(
            CommandView command,
            Route route,
            @Nullable WouldFail failing,
            ClientInfo client,
            Instant now,
            Looking looking) {
        CloserLook look = looksCloser ? new CloserLook(command, route, looking.evidence()) : null;
        if (route.statements().size() > 1 || (failing != null && failing.certain())) {
            return new Batch(command, route, client, now, look).judge(failing, looking.counts());
        }
        Ruling ruling = ruling(command.commandName(), route, 0, client, now, look);
        if (ruling == null) {
            return null;
        }
        String exemption = exemption(ruling, command, route, 0, client, now, look);
        return exemption == null ? verdict(ruling, command, now, looking) : ruling.exempted(exemption);
    }

    private static Verdict verdict(Ruling ruling, CommandView command, Instant now, Looking looking) {
        Verdict verdict = ruling.verdict(command, now, looking.counts());
        return verdict.refused() ? verdict.about(0) : verdict;
    }

    /** What applies to statement {@code index}; null if nothing does. */
    private @Nullable Ruling ruling(
            CommandName name, Route route, int index, ClientInfo client, Instant now, @Nullable CloserLook look) {
        StatementSubject subject = route.statements().get(index).subject();
        if (subject != null && subject.namespace().isAdministrative()) {
            return null;
        }
        for (CompiledRule rule : rules) {
            if (rule.matches(name, route, index, client, now, look)) {
                return rule.ruling();
            }
        }
        boolean named = route.isIntrinsic() || name == CommandName.EXPLAIN;
        return named ? null : defaults.of(name, route.statements().get(index));
    }

    /** The id of the exemption that lifts {@code ruling} from statement {@code index}; null if none does. */
    private @Nullable String exemption(
            Ruling ruling,
            CommandView command,
            Route route,
            int index,
            ClientInfo client,
            Instant now,
            @Nullable CloserLook look) {
        return ruling.isExemptible() ? exemptions.find(command, route.namespaceOf(index), client, now, look) : null;
    }

    /** The decisions on the statements of one command, as far as they are made. */
    private final class Batch {
        private final CommandView command;
        private final Route route;
        private final ClientInfo client;
        private final Instant now;
        private final @Nullable CloserLook look;
        private final Standing standing = new Standing();
        private @Nullable Ruling lifted;
        private @Nullable String liftedBy;

        Batch(CommandView command, Route route, ClientInfo client, Instant now, @Nullable CloserLook look) {
            this.command = command;
            this.route = route;
            this.client = client;
            this.now = now;
            this.look = look;
        }

        /** Judges statements of the same kind once, the worst one first, so that it is named where several are alike. */
        @Nullable Verdict judge(@Nullable WouldFail failing, boolean counts) {
            List<StatementRoute> statements = route.statements();
            KindsSeen seen = new KindsSeen();
            seen.add(route.worst(), notes(route.worstIndex()));
            add(ruling(command.commandName(), route, route.worstIndex(), client, now, look), route.worstIndex());
            for (int i = 0; i < statements.size(); i++) {
                if (seen.add(statements.get(i), notes(i))) {
                    add(ruling(command.commandName(), route, i, client, now, look), i);
                }
            }
            if (failing != null && failing.certain()) {
                add(wouldFail, failing.statement());
            }
            return decided(counts);
        }

        /** The notes on a statement, if any rule asks for them. */
        private Set<Note.Name> notes(int index) {
            return looksAtNotes && look != null ? look.notes(index) : Set.of();
        }

        private void add(@Nullable Ruling ruling, int index) {
            if (ruling == null) {
                return;
            }
            // What a cluster would refuse need not be about a statement of the route: of an index, for instance.
            int about = Math.min(index, route.statements().size() - 1);
            String exemption = exemption(ruling, command, route, about, client, now, look);
            if (exemption == null) {
                standing.add(ruling, index);
            } else if (lifted == null || ruling.outweighs(lifted)) {
                lifted = ruling;
                liftedBy = exemption;
            }
        }

        private @Nullable Verdict decided(boolean counts) {
            if (!standing.isEmpty() && (lifted == null || !standing.isAllow())) {
                return standing.verdict(new Question(command, now, counts));
            }
            return lifted == null || liftedBy == null ? null : lifted.exempted(liftedBy);
        }
    }
}
