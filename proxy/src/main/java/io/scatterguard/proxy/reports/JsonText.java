package io.scatterguard.proxy.reports;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON that any reader takes and that a terminal may show. */
public final class JsonText {
    private JsonText() {}

    /**
     * The document in several lines, with a line feed at its end. What {@link VisibleText} does not let through stands within
     * strings alone and becomes what JSON writes for it: the strings keep their values.
     */
    public static String of(JsonNode document) {
        return VisibleText.ofLines(document.toPrettyString().replace("\r\n", "\n") + "\n");
    }
}
