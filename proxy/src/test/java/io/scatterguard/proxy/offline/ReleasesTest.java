package io.scatterguard.proxy.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.scatterguard.proxy.routing.RouterRelease;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReleasesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "6.3 | 6.3",
                "<7.0 | 6.3 4.4",
                "<=7.0 | 6.3 4.4 7.0",
                ">7.0 | 7.1 9.0",
                ">=7.1 | 7.1 9.0",
                ">=5.0 | 6.3 5.0 9.0",
                ">=9.0 | 9.0",
                ">= 8.2 | 8.2 9.0",
                "7.0-8.0 | 7.0 8.0",
                "4.4-8.0 | 6.3 4.4 8.0",
                "5.1-7.x bucket collections | 6.3 5.1 7.3",
                "8.x | 8.0 8.3",
                "7.0-8.3, >=9.0.2 | 7.0 8.3 9.0",
                "6.0, 7.0-7.1 | 6.0 7.0 7.1",
                "6.0.4 | 6.0",
            })
    void isTriedAtItsEnds(String versions, String representatives) {
        String tried = Releases.parse(versions).representatives().stream()
                .map(RouterRelease::toString)
                .collect(Collectors.joining(" "));
        assertThat(tried).isEqualTo(representatives);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<7.0 | 6.3 | true",
                "<7.0 | 7.0 | false",
                "<7.0 | 4.2 | true",
                ">=7.1 | 7.0 | false",
                ">=7.1 | 7.1 | true",
                ">7.0 | 7.0 | false",
                "<=7.0 | 7.0 | true",
                "7.0-8.0 | 8.0 | true",
                "7.0-8.0 | 8.1 | false",
                "7.0-8.0 | 6.3 | false",
                "5.1-7.x | 7.3 | true",
                "5.1-7.x | 8.0 | false",
                "7.0-8.0, >=9.0.2 | 8.3 | false",
                "7.0-8.0, >=9.0.2 | 9.0 | true",
            })
    void containsWhatIsInOneOfItsRanges(String versions, String release, boolean contained) {
        assertThat(Releases.parse(versions).contains(RouterRelease.parse(release)))
                .isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "new", "7", ">=7", "7.0-", "<7.0-8.0", "7.0,", "=>7.0", "7.0-8.0-9.0"})
    void namesWhatItCannotRead(String versions) {
        assertThatThrownBy(() -> Releases.parse(versions))
                .isInstanceOf(LineFormatException.class)
                .hasMessageContaining("versions: \"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<4.4", "3.6-4.2", ">=10.0"})
    void refusesARangeOfWhichNoRulesAreDescribed(String versions) {
        assertThatThrownBy(() -> Releases.parse(versions)).hasMessageContainingAll(versions, "4.4 to 9.0");
    }
}
