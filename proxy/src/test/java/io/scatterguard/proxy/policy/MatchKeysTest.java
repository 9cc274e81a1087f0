package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.command.ClientInfo;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of a match that are about who asks, what the comment says, and when; in rules and in exemptions alike. */
class MatchKeysTest {
    private static void assertMatches(String match, String command, ClientInfo client, Instant now, boolean expected) {
        CompiledPolicy rule = policy(
                "mode: enforce, default: {reads: allow}, rules: [{name: r, match: {" + match + "}, action: refuse}]");
        CompiledPolicy exemption =
                policy("mode: enforce, default: {reads: refuse}, exemptions: [{id: e, match: {" + match + "}}]");

        assertThat(text(rule.decide(command(command), RouteFixture.scatter("shop.c"), client, now)))
                .isEqualTo(expected ? "refuse/rule[r]" : "allow/default");
        assertThat(text(exemption.decide(command(command), RouteFixture.scatter("shop.c"), client, now)))
                .isEqualTo(expected ? "allow/exempted(e)" : "refuse/default");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nodejs*          | nodejs 7.9.0                    | true",
                "nodejs 7.?.*     | nodejs 7.9.0                    | true",
                "nodejs 6.*       | nodejs 7.9.0                    | false",
                "*mongosh*        | 'nodejs|mongosh 7.9.0|2.12.0'   | true",
                "nodejs*          |                                 | false",
                "'*'              |                                 | false",
            })
    void aDriver(String glob, String driver, boolean expected) {
        ClientInfo client = new ClientInfo("10.0.0.1:5000", null, driver, null, null);

        assertMatches("driver: \"" + glob + "\"", "{find: 'c'}", client, NOW, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1                   | 10.0.0.1:5000                 | true",
                "10.0.0.1                   | 10.0.0.2:5000                 | false",
                "10.0.0.0/8                 | 10.255.3.4:1                  | true",
                "10.0.0.0/8                 | 11.0.0.1:1                    | false",
                "10.1.64.0/18               | 10.1.127.255:1                | true",
                "10.1.64.0/18               | 10.1.128.0:1                  | false",
                "0.0.0.0/0                  | 1.2.3.4:1                     | true",
                "0.0.0.0/0                  | 0:0:0:0:0:0:0:1:1             | false",
                "\"[192.0.2.1, 10.0.0.0/8]\"| 10.0.0.9:1                    | true",
                "\"2001:db8::/32\"          | 2001:db8:0:0:0:0:0:5:4000     | true",
                "\"2001:db8::/32\"          | [2001:db8::5]:4000            | true",
                "\"2001:db8::/32\"          | 2001:db9:0:0:0:0:0:5:4000     | false",
                "10.0.0.0/8                 | ::ffff:10.0.0.1:4000          | true",
                "0.0.0.0/0                  | unknown                       | false",
            })
    void anAddress(String networks, String address, boolean expected) {
        String yaml = networks.startsWith("\"[") ? networks.replace("\"", "") : networks;

        assertMatches("clientAddress: " + yaml, "{find: 'c'}", ClientInfo.of(address), NOW, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "test:*               | 'test:OrdersTest'                        | true",
                "test:Orders*         | 'ticket OPS-7, test:OrdersTest;more'     | true",
                "test:Users*          | 'test:OrdersTest'                        | false",
                "route:/orders/*      | 'route:/orders/{id}'                     | true",
                "ops                  | 'an ops task'                            | true",
                "ops                  | 'an opsy task'                           | false",
                "\"[a, test:*]\"      | {test: 'OrdersTest'}                     | true",
                "OrdersTest           | {test: 'OrdersTest'}                     | false",
                "'*'                  | ''                                       | true",
                "'*'                  | 5                                        | false",
            })
    void aTagInTheComment(String tags, String comment, boolean expected) {
        String yaml = tags.startsWith("\"[") ? tags.replace("\"", "") : "\"" + tags + "\"";
        boolean quoted = !comment.startsWith("{") && !comment.equals("5");
        String value = quoted ? "'" + comment + "'" : comment;

        assertMatches("commentTag: " + yaml, "{find: 'c', comment: " + value + "}", CLIENT, NOW, expected);
    }

    @Test
    void noCommentHasNoTag() {
        assertMatches("commentTag: \"*\"", "{find: 'c'}", CLIENT, NOW, false);
        assertMatches("commentTag: \"*\"", "{find: 'c', filter: {comment: 'test:a'}}", CLIENT, NOW, false);
    }

    @Test
    void aLongCommentIsNotLookedAt() {
        String fits = "test:a " + "x".repeat(CommentWords.MAX_COMMENT_BYTES - 12);

        assertMatches("commentTag: test:a", "{find: 'c', comment: '" + fits + "'}", CLIENT, NOW, true);
        assertMatches("commentTag: test:a", "{find: 'c', comment: '" + fits + "y'}", CLIENT, NOW, false);
    }

    /** 15 December 2026 is a Tuesday. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "days: [mon, tue]                                  | 2026-12-15T00:00:00Z     | true",
                "days: [mon, tue]                                  | 2026-12-15T23:59:59.999Z | true",
                "days: [mon, tue]                                  | 2026-12-16T00:00:00Z     | false",
                "days: mon                                         | 2026-12-15T12:00:00Z     | false",
                "days: sun                                         | 2026-12-20T12:00:00Z     | true",
                "from: 08:00, to: 18:00                            | 2026-12-15T08:00:00Z     | true",
                "from: 08:00, to: 18:00                            | 2026-12-15T07:59:59Z     | false",
                "from: 08:00, to: 18:00                            | 2026-12-15T17:59:59.9Z   | true",
                "from: 08:00, to: 18:00                            | 2026-12-15T18:00:00Z     | false",
                "from: 08:00                                       | 2026-12-15T23:59:59Z     | true",
                "from: 08:00, to: 18:00, zone: Europe/Berlin       | 2026-12-15T07:00:00Z     | true",
                "from: 08:00, to: 18:00, zone: Europe/Berlin       | 2026-12-15T17:00:00Z     | false",
                "from: 08:00, to: 18:00, zone: Europe/Berlin       | 2026-07-14T06:00:00Z     | true",
                "days: tue, from: 22:00, to: 06:00                 | 2026-12-15T22:00:00Z     | true",
                "days: tue, from: 22:00, to: 06:00                 | 2026-12-16T05:59:59Z     | true",
                "days: tue, from: 22:00, to: 06:00                 | 2026-12-16T06:00:00Z     | false",
                "days: tue, from: 22:00, to: 06:00                 | 2026-12-15T05:00:00Z     | false",
                "days: tue, from: 22:00, to: 06:00                 | 2026-12-16T22:30:00Z     | false",
                "days: wed, zone: Pacific/Auckland                 | 2026-12-15T12:00:00Z     | true",
                "days: thu                                         | 1969-12-31T23:59:59Z     | false",
                "days: wed                                         | 1969-12-31T23:59:59Z     | true",
            })
    void aTime(String window, Instant now, boolean expected) {
        assertMatches("time: {" + window + "}", "{find: 'c'}", CLIENT, now, expected);
    }

    @Test
    void allOfThemMustHold() {
        String match = "driver: \"nodejs*\", clientAddress: 10.0.0.0/8, commentTag: \"test:*\", time: {days: tue}";
        ClientInfo node = new ClientInfo("10.0.0.1:5000", null, "nodejs 7", null, null);
        String tagged = "{find: 'c', comment: 'test:a'}";

        assertMatches(match, tagged, node, NOW, true);
        assertMatches(match, "{find: 'c'}", node, NOW, false);
        assertMatches(match, tagged, CLIENT, NOW, false);
        assertMatches(match, tagged, new ClientInfo("9.0.0.1:5000", null, "nodejs 7", null, null), NOW, false);
        assertMatches(match, tagged, node, NOW.plusSeconds(86_400), false);
    }
}
