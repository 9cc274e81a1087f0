package io.scatterguard.proxy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleTextTest {
    @ParameterizedTest
    @ValueSource(
            ints = {0, 0xa, 0x1b, 0x7f, 0x9b, 0xad, 0x200b, 0x202e, 0x2028, 0xfeff, 0xfffe, 0xfdd0, 0xd800, 0xdfff})
    void whatDoesNotShowIsWritten(int code) {
        assertThat(VisibleText.of("a" + (char) code + "b")).isEqualTo("a\\u" + String.format("%04x", code) + "b");
    }

    @Test
    void whatShowsStays() {
        String text = "Bücher.地 \ud83d\ude00 {a: 1} <&>";
        assertThat(VisibleText.of(text)).isEqualTo(text);
        assertThat(VisibleText.of("\udb40\udc41")).as("a tag").isEqualTo("\\udb40\\udc41");
    }

    /** JSON keeps the values, and can be written in any encoding. */
    @Test
    void aStringInJsonKeepsItsValue() throws JsonProcessingException {
        StringBuilder all = new StringBuilder();
        for (int c = 0; c <= 0xffff; c++) {
            all.append((char) c).append(c % 2 == 0 ? "" : "x");
        }
        JsonNode node = new ObjectMapper().createObjectNode().put("all", all.toString());
        String text = JsonText.of(node);
        assertThat(new ObjectMapper().readTree(text)).isEqualTo(node);
        assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(text);
        assertThat(text.codePoints().filter(c -> c < ' ').distinct()).containsExactly((int) '\n');
    }
}
