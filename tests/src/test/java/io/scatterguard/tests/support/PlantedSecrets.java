package io.scatterguard.tests.support;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;

/**
 * Puts a secret of its own into every marked position of commands, and finds them again in what must not show them. A
 * template is JSON with markers where values stand: {@code '@'} a text, {@code '$@'} one that begins as a field path does
 * and is none where it stands, {@code #} a number, {@code &} an ObjectId,
 * {@code ~} bytes, and {@code %} for a name that is data.
 */
public final class PlantedSecrets {
    private static final Pattern MARKER = Pattern.compile("'\\$?@'|#|&|~|%");
    private static final int FIRST = 10_000;

    /** What looks like one of the secrets, so that a line is searched once and not for each of them. */
    private static final Pattern CANDIDATE =
            Pattern.compile("s3cr3t\\d{5}x|91\\d{5}73|5ec4e70{13}\\d{5}|u\\d{5}@|czNjcjN0[A-Za-z0-9+/]{8}");

    /** By what must not be seen: where it was planted. */
    private final Map<String, String> positions = new LinkedHashMap<>();

    private int planted;

    /** The command that {@code template} makes. */
    public BsonDocument command(String template) {
        StringBuilder json = new StringBuilder();
        Matcher marker = MARKER.matcher(template);
        while (marker.find()) {
            String before = template.substring(Math.max(0, marker.start() - 30), marker.start());
            String what = template.substring(0, Math.min(30, template.length())) + "… " + before + marker.group();
            marker.appendReplacement(json, Matcher.quoteReplacement(plant(marker.group(), what)));
        }
        marker.appendTail(json);
        return BsonDocument.parse(json.toString());
    }

    private String plant(String marker, String what) {
        int number = FIRST + planted++;
        String text = "s3cr3t" + number + "x";
        return switch (marker) {
            case "'@'" -> {
                note(text, what);
                yield "'" + text + "'";
            }
            case "'$@'" -> {
                note(text, what);
                yield "'$" + text + "'";
            }
            case "#" -> {
                note("91" + number + "73", what);
                yield "91" + number + "73";
            }
            case "&" -> {
                String hex = "5ec4e7" + "0000000000000" + number;
                note(hex, what);
                yield "{$oid: '" + hex + "'}";
            }
            case "~" -> {
                // Twelve bytes: whole groups of Base64, so that they are found inside longer ones.
                note(text, what);
                String base64 = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
                note(base64, what);
                yield "{$binary: {base64: '" + base64 + "', subType: '00'}}";
            }
            default -> {
                String address = "u" + number + "@example.org";
                note("u" + number + "@", what);
                yield "'" + address + "'";
            }
        };
    }

    private void note(String secret, String what) {
        positions.put(secret, what);
    }

    /** In how many positions a secret was planted. */
    public int planted() {
        return planted;
    }

    /** Which secrets stand in {@code line}, each with the position it was planted in. */
    public List<String> shownBy(String line) {
        List<String> shown = new ArrayList<>();
        Matcher candidates = CANDIDATE.matcher(line);
        while (candidates.find()) {
            Optional.ofNullable(positions.get(candidates.group()))
                    .ifPresent(where -> shown.add(candidates.group() + " of " + where));
        }
        return shown;
    }
}
