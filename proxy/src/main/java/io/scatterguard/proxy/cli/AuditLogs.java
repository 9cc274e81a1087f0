package io.scatterguard.proxy.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.scatterguard.proxy.records.AuditRecord;
import io.scatterguard.proxy.records.RecordJson;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Audit logs that are read one after the other, in the order in which they were begun, whatever the order they are named in: a
 * proxy that is started anew counts its records from 1 again.
 */
final class AuditLogs {
    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final int LINES_LOOKED_AT = 100;

    private final UnreadableLines unreadable = new UnreadableLines();
    private boolean cutOff;

    /** @param first the first record, as it stands; null if there is none, or the file can only be read once */
    private record Begin(
            String file, @Nullable String first, @Nullable Instant at) {}

    /**
     * The files in their order.
     *
     * @throws InputException if one is given twice
     */
    static List<String> ordered(List<String> files) {
        Map<String, String> begun = new HashMap<>();
        return files.stream()
                .map(file -> {
                    Begin begin = begin(file);
                    String same = begun.put(begin.first == null ? file : begin.first, file);
                    if (same != null) {
                        throw new InputException(InputFile.name(file) + ": begins with the same record as "
                                + InputFile.name(same) + " (expected: each log once)");
                    }
                    return begin;
                })
                .sorted(Comparator.comparing(Begin::at, Comparator.nullsLast(Comparator.naturalOrder())))
                .map(Begin::file)
                .toList();
    }

    private static Begin begin(String file) {
        if (InputFile.isStandardInput(file) || !isRegular(file)) {
            return new Begin(file, null, null);
        }
        try (CheckedInput input = CheckedInput.open(file, false)) {
            for (int i = 0; i < LINES_LOOKED_AT && !input.isBson(); i++) {
                byte[] item = input.next();
                if (item == null) {
                    break;
                }
                Instant at = at(input, item);
                if (at != null) {
                    return new Begin(file, text(input, item), at);
                }
            }
        } catch (IOException | InterruptedException e) {
            return new Begin(file, null, null); // whoever reads it will say so
        }
        return new Begin(file, null, null);
    }

    private static boolean isRegular(String file) {
        try {
            return Files.isRegularFile(Path.of(file));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static @Nullable Instant at(CheckedInput input, byte[] item) throws CharacterCodingException {
        try {
            return AuditRecord.of(RecordJson.parse(text(input, item))).at().orElse(null);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    private static String text(CheckedInput input, byte[] item) throws CharacterCodingException {
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(item))
                .toString();
        return input.number() == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    }

    /** Hands every line of {@code input} that is JSON to {@code records}, which says whether it is a record. */
    void read(CheckedInput input, Predicate<JsonNode> records) {
        if (input.isBson()) {
            throw new InputException(input.name() + ": BSON (expected: an audit log, JSON Lines)");
        }
        try {
            for (byte[] item = input.next(); item != null; item = input.next()) {
                String problem = problem(input, item, records);
                if (problem != null) {
                    unreadable.add(input, problem);
                }
            }
        } catch (IOException e) {
            cutOff = true;
            unreadable.add(input, "cannot be read any further (" + e.getClass().getSimpleName() + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable String problem(CheckedInput input, byte[] item, Predicate<JsonNode> records) {
        if (CheckedInput.isTooLong(item)) {
            return "longer than " + CheckedInput.MAX_BYTES + " bytes";
        }
        try {
            String text = text(input, item);
            return text.isBlank() || records.test(RecordJson.parse(text)) ? null : "no audit record";
        } catch (CharacterCodingException e) {
            return "not UTF-8";
        } catch (JsonProcessingException e) {
            return "not a whole line of JSON";
        }
    }

    UnreadableLines unreadable() {
        return unreadable;
    }

    /** Whether the end of an input could not be read. */
    boolean isCutOff() {
        return cutOff;
    }
}
