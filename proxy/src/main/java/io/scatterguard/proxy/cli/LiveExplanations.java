package io.scatterguard.proxy.cli;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.admin.BadQuestionException;
import io.scatterguard.proxy.admin.ExplainEndpoint;
import io.scatterguard.proxy.audit.QueryShape;
import io.scatterguard.proxy.audit.QueryShapes;
import io.scatterguard.proxy.catalog.CatalogLoad;
import io.scatterguard.proxy.catalog.CatalogProblem;
import io.scatterguard.proxy.catalog.CatalogRefresher;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.config.ListenerConfig;
import io.scatterguard.proxy.config.ScatterguardConfig;
import io.scatterguard.proxy.explain.CallersValues;
import io.scatterguard.proxy.explain.ExplanationJson;
import io.scatterguard.proxy.policy.CompiledPolicy;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Explanation;
import io.scatterguard.proxy.routing.NotLoaded;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.session.CommandJudge;
import io.scatterguard.proxy.session.Judgement;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** Explains commands by the metadata and the policy that a running proxy judges by now. */
final class LiveExplanations implements ExplainEndpoint.Explanations {
    private final ScatterguardConfig config;
    private final List<CommandJudge> judges;
    private final CatalogRefresher catalog;
    private final LivePolicy policy;

    /** {@code judges}: those of the listeners, in the order of {@code config}; it may grow while the proxy starts. */
    LiveExplanations(
            ScatterguardConfig config, List<CommandJudge> judges, CatalogRefresher catalog, LivePolicy policy) {
        this.config = config;
        this.judges = judges;
        this.catalog = catalog;
        this.policy = policy;
    }

    @Override
    public String of(ExplainEndpoint.Case asked) throws BadQuestionException {
        int listener = listener(asked.listener());
        CommandJudge judge = judges.get(listener);
        RouterRelease release = release(asked.routerVersion(), judge);
        try {
            CommandView command = command(asked);
            awaitMetadata(command);
            return ExplanationJson.text(explained(command, client(asked), listener, release));
        } catch (InputException | MalformedBsonException e) {
            throw new BadQuestionException(String.valueOf(e.getMessage()));
        }
    }

    private static CommandView command(ExplainEndpoint.Case asked) {
        List<BsonDocument> documents = CommandDocuments.read(asked.command(), "the body");
        if (documents.size() != 1) {
            throw new InputException("the body: " + documents.size() + " documents (expected: one command)");
        }
        return Explainer.view(documents.get(0), "the command", asked.db(), "?db=");
    }

    private int listener(@Nullable String bind) throws BadQuestionException {
        List<ListenerConfig> listeners = config.listeners();
        for (int i = 0; i < judges.size(); i++) {
            if (bind == null || bind.equals(listeners.get(i).bind().toString())) {
                return i;
            }
        }
        throw new BadQuestionException(
                "listener: there is none (expected: a bind of the configuration, or none for the first)");
    }

    /** That of the question, of the configuration, of the server that answered last, or the one that is assumed. */
    private RouterRelease release(@Nullable String asked, CommandJudge judge) throws BadQuestionException {
        String fixed = asked != null ? asked : config.routerVersion();
        try {
            if (fixed != null) {
                return RouterRelease.parse(fixed);
            }
        } catch (IllegalArgumentException e) {
            throw new BadQuestionException("routerVersion: no release (expected: major.minor, like 6.0)");
        }
        RouterRelease learnt = judge.release();
        return learnt != null ? learnt : RouterRelease.DEFAULT;
    }

    private static ClientInfo client(ExplainEndpoint.Case asked) {
        return new ClientInfo("unknown", asked.appName(), null, null, asked.user());
    }

    /** Waits as long as the command itself would. What is not there then is unknown, as it would be to it. */
    private void awaitMetadata(CommandView command) {
        CatalogSnapshot snapshot = catalog.current();
        List<Namespace> missing = snapshot.complete() ? NotLoaded.of(command, snapshot) : List.of();
        if (missing.isEmpty()) {
            return;
        }
        try {
            catalog.load(missing).get(config.catalog().loadTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private BsonDocument explained(CommandView command, ClientInfo client, int listener, RouterRelease release) {
        CatalogSnapshot snapshot = catalog.current();
        Explanation explanation = Explanation.of(command, snapshot, release);
        List<String> hints = CommandHints.of(command, explanation.route(), new CatalogLoad(snapshot, problems(), null));
        BsonDocument json = ExplanationJson.document(explanation, hints);
        CallersValues.only(json, explanation, snapshot);
        QueryShape shape = QueryShapes.of(command);
        CompiledPolicy asked = policy.trial(listener);
        Judgement judgement = judges.get(listener).tried(command, snapshot, asked, client, release);
        BsonDocument verdict = verdict(judgement.verdict());
        if (judgement.verdict().isFinding()) {
            String owner =
                    asked.owner(judgement.route().about(judgement.verdict().statement()), client);
            verdict.append("owner", new BsonString(owner));
        }
        json.append(
                "shape",
                new BsonDocument("text", new BsonString(shape.text())).append("hash", new BsonString(shape.hash())));
        json.append(
                "listener",
                new BsonString(config.listeners().get(listener).bind().toString()));
        json.append("mode", new BsonString(asked.config().mode().text()));
        return json.append("verdict", verdict);
    }

    /** What is wrong, without what the metadata says there: it may quote values. */
    private List<CatalogProblem> problems() {
        return catalog.status().problems().stream()
                .map(problem -> new CatalogProblem(
                        problem.subject(), "its metadata is not understood; scatterguard explain says more."))
                .toList();
    }

    private static BsonDocument verdict(Verdict verdict) {
        BsonDocument json = decision(verdict).append("policyVersion", new BsonInt64(verdict.policyVersion()));
        Verdict explained = verdict.explained();
        return explained == null ? json : json.append("explained", decision(explained));
    }

    private static BsonDocument decision(Verdict verdict) {
        BsonDocument json = new BsonDocument(
                        "action", new BsonString(verdict.action().text()))
                .append("wouldRefuse", BsonBoolean.valueOf(verdict.wouldRefuse()));
        if (verdict.rule() != null) {
            json.append("rule", new BsonString(verdict.rule()));
        }
        if (verdict.exemption() != null) {
            json.append("exemption", new BsonString(verdict.exemption()));
        }
        return json.append("reason", new BsonString(verdict.reason()));
    }
}
