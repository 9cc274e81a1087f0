package io.scatterguard.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouterReleaseTest {
    @ParameterizedTest
    @CsvSource({
        "8, 4.4, false",
        "9, 4.4, false",
        "13, 5.0, false",
        "17, 6.0, false",
        "20, 6.3, false",
        "21, 7.0, false",
        "25, 8.0, false",
        "27, 8.2, false",
        "28, 8.3, false",
        "29, 9.0, false",
        "30, 9.1, true",
        "99, 26.2, true"
    })
    void isKnownByItsWireVersion(int wireVersion, String release, boolean beyondKnown) {
        RouterRelease found = RouterRelease.ofWireVersion(wireVersion);
        assertThat(found).hasToString(release);
        assertThat(found.isBeyondKnown()).isEqualTo(beyondKnown);
    }

    @ParameterizedTest
    @CsvSource({"4.4.29, 4.4, false", "9.0.2, 9.0, false", "9.1.0-rc0, 9.1, true", "10.0, 10.0, true"})
    void isKnownByItsVersion(String version, String release, boolean beyondKnown) {
        RouterRelease found = RouterRelease.parse(version);
        assertThat(found).hasToString(release);
        assertThat(found.isBeyondKnown()).isEqualTo(beyondKnown);
    }
}
