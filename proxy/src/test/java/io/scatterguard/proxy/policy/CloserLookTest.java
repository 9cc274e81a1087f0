package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.proxy.config.CatalogConfig.OnUnknown;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Shape;
import io.scatterguard.proxy.routing.StatementRoute;
import java.util.AbstractList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The notes of a large batch are asked for by each of its statements. */
class CloserLookTest {
    private static final int STATEMENTS = 2_000;
    private static final int NOTES = 100;

    /** A note on each of the last hundred statements; counts how often one is looked at. */
    private static final class CountedNotes extends AbstractList<Note> {
        private int looks;

        @Override
        public Note get(int index) {
            looks++;
            return new Note(Note.Name.KEY_UNDER_WRONG_PATH, STATEMENTS - NOTES + index, "", "", "");
        }

        @Override
        public int size() {
            return NOTES;
        }
    }

    @Test
    void eachNoteIsLookedAtOnce() {
        CountedNotes notes = new CountedNotes();
        Evidence evidence = new Evidence() {
            @Override
            public String shapeHash(CommandView command) {
                return "shape";
            }

            @Override
            public List<Note> notes(CommandView command, Route route) {
                return notes;
            }
        };
        CompiledPolicy policy = CompiledPolicy.compile(
                policy("mode: enforce, default: {writes: log}, rules: [{name: wrong, match: {notes: keyUnderWrongPath},"
                                + " action: refuse}]")
                        .config(),
                OnUnknown.ALLOW,
                evidence,
                new Throttles(),
                1);
        StatementRoute[] statements = Collections.nCopies(
                        STATEMENTS, RouteFixture.statement(Shape.SCATTER_GATHER, Certainty.EXACT))
                .toArray(StatementRoute[]::new);

        Verdict verdict =
                policy.decide(command("{delete: 'c'}"), RouteFixture.batch("shop.c", statements), CLIENT, NOW);

        assertThat(text(verdict)).isEqualTo("refuse/rule[wrong]");
        assertThat(verdict.statement()).isEqualTo(STATEMENTS - NOTES);
        assertThat(notes.looks).isEqualTo(NOTES);
    }
}
