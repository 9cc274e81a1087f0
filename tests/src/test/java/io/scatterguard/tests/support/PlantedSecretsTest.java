package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class PlantedSecretsTest {
    @Test
    void whatIsPlantedIsFoundAndNamedByItsPosition() {
        PlantedSecrets secrets = new PlantedSecrets();
        BsonDocument command = secrets.command("{find: 'c', filter: {a: '@', b: #, c: &, d: ~, %: 1}}");

        assertThat(secrets.planted()).isEqualTo(5);
        assertThat(secrets.shownBy(command.toJson())).hasSize(5).anyMatch(shown -> shown.contains("filter: {a: '@'"));
        assertThat(secrets.shownBy("a log line that quotes \"s3cr3t10000x\" and (918273)"))
                .hasSize(1);
        assertThat(secrets.shownBy("s3cr3t10000y, s3cr3t1000x, find {filter: {a: ?string}}"))
                .isEmpty();
    }
}
