package io.scatterguard.proxy.policy;

import static io.scatterguard.proxy.policy.PolicyFixture.CLIENT;
import static io.scatterguard.proxy.policy.PolicyFixture.NOW;
import static io.scatterguard.proxy.policy.PolicyFixture.command;
import static io.scatterguard.proxy.policy.PolicyFixture.policy;
import static io.scatterguard.proxy.policy.PolicyFixture.text;
import static io.scatterguard.proxy.policy.PolicyFixture.unacknowledged;
import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.proxy.policy.RefusalTerms.Detail;
import org.junit.jupiter.api.Test;

class RefusalTermsTest {
    private static final String REFUSING = "mode: enforce, default: {reads: refuse, writes: refuse}, ";
    private static final String RULES =
            "rules: [{name: hard, match: {namespace: shop.hard}, action: refuse, exemptible: false},"
                    + " {name: soft, match: {namespace: shop.soft}, action: refuse}]";

    private static RefusalTerms terms(String yaml, String collection) {
        CompiledPolicy policy = policy(REFUSING + yaml);
        return policy.refusalTerms(
                policy.decide(command("{delete: 'c'}"), RouteFixture.scatter("shop." + collection), CLIENT, NOW));
    }

    @Test
    void unlessConfiguredEverythingIsTold() {
        assertThat(terms(RULES, "soft")).isEqualTo(RefusalTerms.STANDARD);
        assertThat(terms(RULES, "other")).isEqualTo(RefusalTerms.STANDARD);
    }

    @Test
    void aRuleMayAllowNoExemption() {
        assertThat(terms(RULES, "hard").exemptible()).isFalse();
        assertThat(terms("commentExemptions: off", "other").byComment()).isFalse();
        assertThat(terms("commentExemptions: any", "other").byComment()).isTrue();
    }

    @Test
    void theDetailIsTheConfigured() {
        assertThat(terms("refusalDetail: full", "c").detail()).isEqualTo(Detail.FULL);
        assertThat(terms("refusalDetail: namesOnly", "c").detail()).isEqualTo(Detail.NAMES_ONLY);
        assertThat(terms("refusalDetail: codeOnly", "c").detail()).isEqualTo(Detail.CODE_ONLY);
    }

    @Test
    void whatExpectsNoReplyIsRefusedWhereThatIsConfigured() {
        String delete = "{delete: 'c', $db: 'shop'}";
        CompiledPolicy refusing = policy(REFUSING + "refuseUnacknowledged: true");
        CompiledPolicy observing = policy("default: {writes: refuse}, refuseUnacknowledged: true");

        assertThat(text(refusing.decide(unacknowledged(delete), RouteFixture.scatter("shop.c"), CLIENT, NOW)))
                .isEqualTo("refuse/default");
        assertThat(text(observing.decide(unacknowledged(delete), RouteFixture.scatter("shop.c"), CLIENT, NOW)))
                .isEqualTo("log!/default");
        assertThat(terms("refuseUnacknowledged: true", "c").unacknowledged()).isTrue();
        assertThat(terms("refuseUnacknowledged: false", "c").unacknowledged()).isFalse();
    }
}
