package io.scatterguard.tests.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.metrics.Metric;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.HttpAnswer;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.Reply;
import io.scatterguard.tests.support.Repository;
import io.scatterguard.tests.support.ScriptedMongos;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a running proxy answers by HTTP; {@code docs/http.md}. */
@ExtendWith(BlockHoundExtension.class)
class HttpSurfaceTest {
    private static final String TOKEN = "a-token-of-the-tests";
    private static final String CONFIG = """
            cluster: staging-eu
            listeners: [{ bind: "127.0.0.1:0", upstream: { hosts: ["UPSTREAM"] } }]
            policy:
              mode: enforce
              default: { reads: refuse }
              rules: [{ name: no-broadcast, match: { namespace: "shop.*", commands: [count] }, action: log }]
              exemptions:
                - { id: nightly, owner: data-team, match: { appName: nightly }, until: 2020-01-31 }
                - { id: forever, owner: tests }
            audit: { sinks: [] }
            health: { bind: "127.0.0.1:0" }
            admin: { bind: "ADMIN:0", token: a-token-of-the-tests }
            """;

    /** Those that only TLS, tracing and pushing bring: their own tests look for them. */
    private static final Set<Metric> ELSEWHERE = Set.of(Metric.TLS_EXPIRY, Metric.SPANS, Metric.PUSHES);

    private static ScriptedMongos mongos;
    private static ProxyUnderTest proxy;
    private static HostAndPort health;
    private static HostAndPort admin;

    @BeforeAll
    static void start() {
        mongos = ScriptedMongos.start();
        proxy = ProxyUnderTest.configured(mongos, CONFIG.replace("ADMIN", "127.0.0.1"), RuntimeParts.standard());
        health = proxy.runtime().healthAddress();
        admin = proxy.runtime().adminAddress();
    }

    @AfterAll
    static void stop() {
        proxy.close();
        mongos.close();
    }

    private static BsonDocument document() throws IOException {
        return BsonDocument.parse(Files.readString(
                Repository.root().resolve("proxy/src/main/resources/io/scatterguard/proxy/admin/openapi.json")));
    }

    private static List<String> documented() throws IOException {
        return document().getDocument("paths").keySet().stream().toList();
    }

    /** Those that are asked by GET. */
    private static List<String> readable() throws IOException {
        BsonDocument paths = document().getDocument("paths");
        return documented().stream()
                .filter(path -> paths.getDocument(path).containsKey("get"))
                .toList();
    }

    @Test
    void aProxyThatServesIsAliveAndReadyOnBothAddresses() {
        for (HostAndPort address : List.of(health, admin)) {
            assertThat(HttpAnswer.get(address, "/livez").status()).isEqualTo(200);
            HttpAnswer ready = HttpAnswer.get(address, "/readyz");
            assertThat(ready.status()).as(ready.text()).isEqualTo(200);
            assertThat(ready.json().getBoolean("ready").getValue()).isTrue();
            assertThat(HttpAnswer.get(address, "/metrics").status()).isEqualTo(200);
        }
    }

    @Test
    void everyPathOfTheDocumentIsAnsweredAndNoOther() throws IOException {
        for (String path : documented()) {
            if (!readable().contains(path)) {
                assertThat(HttpAnswer.get(admin, path).status()).as(path).isEqualTo(405);
                assertThat(HttpAnswer.post(health, path, "{}").status())
                        .as(path)
                        .isEqualTo(404);
                continue;
            }
            HttpAnswer answer = HttpAnswer.get(admin, path);
            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(HttpAnswer.ask("DELETE", admin, path).status()).as(path).isEqualTo(405);
            boolean ofHealth = !path.startsWith("/api/");
            assertThat(HttpAnswer.get(health, path).status()).as(path).isEqualTo(ofHealth ? 200 : 404);
        }
        HttpAnswer missing = HttpAnswer.get(admin, "/api/v1/none");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.json().getString("error").getValue()).isNotEmpty();
        assertThat(HttpAnswer.get(admin, "/api/v1/openapi.json")
                        .json()
                        .getDocument("paths")
                        .keySet())
                .containsExactlyElementsOf(documented());
    }

    @Test
    void everyPathIsDocumentedForPeopleToo() throws IOException {
        String page = Files.readString(Repository.root().resolve("docs/http.md"));
        BsonDocument paths = document().getDocument("paths");
        List<String> named = Pattern.compile("\\| `((?:GET|POST) /[^`]*)` \\|")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
        List<String> answered = documented().stream()
                .map(path -> paths.getDocument(path).getFirstKey().toUpperCase(Locale.ROOT) + " " + path)
                .toList();
        assertThat(named).containsExactlyInAnyOrderElementsOf(answered);
    }

    /** Every status that the document names, and no other, has a line for people. */
    @Test
    void everyStatusIsDocumentedForPeopleToo() throws IOException {
        Set<String> answered = new TreeSet<>(Set.of("404", "405", "500"));
        BsonDocument paths = document().getDocument("paths");
        paths.values().stream()
                .flatMap(path -> path.asDocument().values().stream())
                .forEach(operation -> answered.addAll(
                        operation.asDocument().getDocument("responses").keySet()));
        assertThat(answered).contains("413");
        Set<String> named = Pattern.compile("(?m)^\\| (\\d{3}) \\|")
                .matcher(Files.readString(Repository.root().resolve("docs/http.md")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).isEqualTo(answered);
    }

    private static boolean refused(RawClient client, BsonDocument command) {
        return client.command(command.clone())
                        .getNumber("code", new BsonInt32(0))
                        .intValue()
                == 61_001;
    }

    /** With the token alone, and at once: also where it is said for one listener. */
    @Test
    void aModeIsSetWhileItRuns() {
        String bearer = "Bearer " + TOKEN;
        assertThat(HttpAnswer.post(admin, "/api/v1/mode", "{\"mode\": \"bypass\"}")
                        .status())
                .isEqualTo(401);
        for (String wrong : List.of(
                "", "[]", "{}", "{\"mode\": \"off\"}", "{\"mode\": \"bypass\", \"listener\": \"127.0.0.1:1\"}")) {
            HttpAnswer answer = HttpAnswer.post(admin, "/api/v1/mode", wrong, "Authorization", bearer);
            assertThat(answer.status()).as(wrong).isEqualTo(400);
            assertThat(answer.json().getString("error").getValue()).contains("(expected: ");
        }
        try (RawClient client = proxy.rawClient()) {
            BsonDocument broadcast = BsonDocument.parse("{find: 'orders', filter: {status: 'open'}, $db: 'shop'}");
            assertThat(refused(client, broadcast)).isTrue();
            HttpAnswer set = HttpAnswer.post(admin, "/api/v1/mode", "{\"mode\": \"bypass\"}", "Authorization", bearer);
            assertThat(set.status()).as(set.text()).isEqualTo(200);
            assertThat(set.json().getNumber("policyVersion").intValue()).isGreaterThan(1);
            assertThat(refused(client, broadcast)).isFalse();
            HttpAnswer.post(admin, "/api/v1/mode", "{\"mode\": \"configured\"}", "Authorization", bearer);
            assertThat(refused(client, broadcast)).isTrue();
        }
    }

    @Test
    void theStatusIsThatOfTheStatusCommand() {
        BsonDocument status = HttpAnswer.get(admin, "/api/v1/status").json();
        try (RawClient client = proxy.rawClient()) {
            BsonDocument command = client.adminCommand("scatterguard");
            Set<String> fields = new TreeSet<>(command.keySet());
            fields.removeAll(Set.of("ok", "listener", "mode", "bypassed"));
            fields.add("listeners");
            assertThat(status.keySet()).containsExactlyInAnyOrderElementsOf(fields);
        }
        assertThat(status.getString("cluster").getValue()).isEqualTo("staging-eu");
        assertThat(status.getArray("listeners"))
                .containsExactly(BsonDocument.parse("{listener: '127.0.0.1:0', mode: 'enforce', bypassed: false}"));
    }

    @Test
    void collectionsComeInPages() {
        BsonDocument all = HttpAnswer.get(admin, "/api/v1/collections").json();
        int total = all.getInt32("total").getValue();
        assertThat(all.getArray("collections")).hasSize(total).isNotEmpty();
        assertThat(all.containsKey("next")).isFalse();
        BsonDocument first = all.getArray("collections").get(0).asDocument();
        assertThat(first.getString("namespace").getValue()).startsWith("shop.");
        assertThat(first.getString("shardKey").getValue()).startsWith("{");
        String path = "/api/v1/collections?limit=1";
        int seen = 0;
        for (BsonDocument page = HttpAnswer.get(admin, path).json(); page != null; seen++) {
            assertThat(page.getArray("collections")).hasSize(1);
            page = page.containsKey("next")
                    ? HttpAnswer.get(
                                    admin,
                                    path + "&after=" + page.getString("next").getValue())
                            .json()
                    : null;
        }
        assertThat(seen).isEqualTo(total);
        assertThat(HttpAnswer.get(admin, "/api/v1/collections?limit=0").status())
                .isEqualTo(400);
        assertThat(HttpAnswer.get(admin, "/api/v1/collections?limit=x").status())
                .isEqualTo(400);
    }

    @Test
    void policyAndExemptionsAreShownAsTheyStandInTheConfiguration() {
        BsonDocument policy = HttpAnswer.get(admin, "/api/v1/policy").json();
        assertThat(policy.getInt32("version").getValue()).isPositive();
        BsonDocument inForce = policy.getDocument("policy");
        assertThat(inForce.getString("mode").getValue()).isEqualTo("enforce");
        BsonDocument rule = inForce.getArray("rules").get(0).asDocument();
        assertThat(rule.getString("name").getValue()).isEqualTo("no-broadcast");
        assertThat(rule.toJson()).contains("\"count\"").contains("shop.*");
        String exemptions = HttpAnswer.get(admin, "/api/v1/exemptions").text();
        assertThat(exemptions)
                .contains("{\"state\":\"expired\",\"exemption\":{\"id\":\"nightly\"")
                .contains("\"until\":\"2020-01-31\"")
                .contains("{\"state\":\"active\",\"exemption\":{\"id\":\"forever\"");
    }

    @Test
    void noAnswerShowsASecret() throws IOException {
        for (String path : documented()) {
            assertThat(HttpAnswer.get(admin, path).text()).as(path).doesNotContain(TOKEN);
        }
    }

    /** What the driver says about a login that fails, and what is shown of where metadata comes from. */
    @Test
    void noAnswerShowsTheLoginOfTheCatalog() throws IOException {
        List<String> secrets = List.of("catalog-us3r", "catalog-p4ss", URLEncoder.encode("catalog-p4ss/?", UTF_8));
        try (ScriptedMongos other = ScriptedMongos.start()) {
            other.always("saslStart", Reply.error(18, "AuthenticationFailed", "Authentication failed."));
            String uri = "mongodb://catalog-us3r:" + secrets.get(2) + "@" + other.address() + "/?authSource=admin";
            String config = CONFIG.replace("ADMIN", "127.0.0.1") + "catalog: { refresh: 1s, uri: \"" + uri + "\" }\n";
            try (ProxyUnderTest locked = ProxyUnderTest.configured(other, config, RuntimeParts.standard());
                    RawClient client = locked.rawClient()) {
                HostAndPort address = locked.runtime().adminAddress();
                await().until(() -> HttpAnswer.get(address, "/readyz").text().contains("\"failing\""));
                for (String path : documented()) {
                    assertThat(HttpAnswer.get(address, path).text()).as(path).doesNotContain(secrets);
                }
                assertThat(client.adminCommand("scatterguard").toJson()).doesNotContain(secrets);
            }
            assertThat(other.requests())
                    .as("the login was tried")
                    .anyMatch(request -> request.commandName().equals("saslStart"));
        }
    }

    /** Families as they are scraped, with type and labels: the page, the list and the truth agree. */
    @Test
    void everyMetricIsScrapedAndNoOther() {
        try (RawClient client = proxy.rawClient()) {
            client.command(BsonDocument.parse("{find: 'orders', filter: {}, $db: 'shop'}"));
        }
        await().until(() -> HttpAnswer.get(health, "/metrics").text().contains("scatterguard_findings_total{"));
        String text = HttpAnswer.get(health, "/metrics").text();
        Set<String> scraped = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$")
                .matcher(text)
                .results()
                .filter(family -> !family.group(1).endsWith("_max"))
                .map(family -> family.group(1) + " " + family.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> listed = Arrays.stream(Metric.values())
                .filter(metric -> !ELSEWHERE.contains(metric))
                .map(metric ->
                        metric.prometheusName() + " " + metric.type().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(scraped).isEqualTo(listed);
        List<MatchResult> series = Pattern.compile("(?m)^(scatterguard_\\w+)\\{([^}]*)}")
                .matcher(text)
                .results()
                .toList();
        assertThat(series).hasSizeGreaterThan(200).allMatch(one -> one.group(2).contains("cluster=\"staging-eu\""));
    }

    @Test
    void fromElsewhereEverythingButHealthNeedsTheToken() throws IOException {
        try (ScriptedMongos other = ScriptedMongos.start();
                ProxyUnderTest open =
                        ProxyUnderTest.configured(other, CONFIG.replace("ADMIN", "0.0.0.0"), RuntimeParts.standard())) {
            HostAndPort address =
                    new HostAndPort("127.0.0.1", open.runtime().adminAddress().port());
            for (String path : documented()) {
                assertThat(HttpAnswer.post(address, path, "").status())
                        .as(path)
                        .isEqualTo(readable().contains(path) ? 405 : 401);
            }
            for (String path : readable()) {
                boolean probe = path.equals("/livez") || path.equals("/readyz");
                assertThat(HttpAnswer.get(address, path).status()).as(path).isEqualTo(probe ? 200 : 401);
                assertThat(HttpAnswer.get(address, path, "Authorization", "Bearer " + TOKEN)
                                .status())
                        .as(path)
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aProxyWhoseServersAreGoneIsNotReady() {
        ScriptedMongos other = ScriptedMongos.start();
        try (ProxyUnderTest lonely =
                ProxyUnderTest.configured(other, CONFIG.replace("ADMIN", "127.0.0.1"), RuntimeParts.standard())) {
            other.close();
            HostAndPort address = lonely.runtime().healthAddress();
            await().untilAsserted(() -> {
                HttpAnswer ready = HttpAnswer.get(address, "/readyz");
                assertThat(ready.status()).isEqualTo(503);
                assertThat(ready.text()).contains("upstreamUnreachable");
            });
            assertThat(HttpAnswer.get(address, "/livez").status()).isEqualTo(200);
        }
    }

    @Test
    void anAddressThatIsTakenIsSaid() {
        String taken = CONFIG.replace("ADMIN:0", health.toString());
        assertThatThrownBy(() -> ProxyUnderTest.configured(mongos, taken, RuntimeParts.standard())
                        .close())
                .hasMessageContaining("cannot listen on " + health + " for admin");
    }
}
