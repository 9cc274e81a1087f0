package io.scatterguard.proxy.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the {@code audit} section. */
final class AuditReader {
    /** The spellings of {@code audit.sinks[].type}. */
    private enum SinkType implements Choice {
        STDOUT("stdout"),
        FILE("file"),
        OTLP("otlp");

        private final String text;

        SinkType(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    private AuditReader() {}

    static AuditConfig audit(Section section) {
        AuditConfig standard = AuditConfig.standard();
        AuditConfig.Recorded recorded =
                section.choice("record", AuditConfig.Recorded.class).orElse(standard.record());
        AuditConfig.Findings findings =
                section.choice("findings", AuditConfig.Findings.class).orElse(standard.findings());
        AuditConfig.Values values =
                section.choice("values", AuditConfig.Values.class).orElse(standard.values());
        int queueCapacity = section.integer("queueCapacity", standard.queueCapacity());
        List<SinkConfig> sinks = new ArrayList<>();
        section.children("sinks").forEach(child -> sink(child).ifPresent(sinks::add));
        return section.build(() -> new AuditConfig(
                        section.has("sinks") ? sinks : standard.sinks(), recorded, findings, values, queueCapacity))
                .orElse(standard);
    }

    private static Optional<SinkConfig> sink(Section section) {
        section.require("type", Choice.expected(SinkType.class));
        return section.choice("type", SinkType.class).flatMap(type -> switch (type) {
            case STDOUT -> stdout(section);
            case FILE -> file(section);
            case OTLP -> otlp(section);
        });
    }

    private static Optional<SinkConfig> stdout(Section section) {
        section.onlyOf(
                List.of("type", "path", "maxBytes", "maxFiles", "rotateEvery", "gzip", "whenFull"), "for stdout");
        return section.build(() -> {
            Requirements requirements = new Requirements();
            for (String key : List.of("path", "maxBytes", "maxFiles", "rotateEvery", "gzip")) {
                requirements.that(!section.has(key), key, "has no meaning for stdout (expected: type file)");
            }
            requirements.check();
            return new SinkConfig.Stdout(whenFull(section));
        });
    }

    private static Optional<SinkConfig> file(Section section) {
        section.onlyOf(List.of("type", "path", "maxBytes", "maxFiles", "rotateEvery", "gzip", "whenFull"), "for file");
        section.require("path", "a file's path");
        Optional<Path> path = section.value("path", "a file's path", AuditReader::parsePath);
        long maxBytes = section.bytes("maxBytes", SinkConfig.RotatingFile.DEFAULT_MAX_BYTES);
        int maxFiles = section.integer("maxFiles", SinkConfig.RotatingFile.DEFAULT_MAX_FILES);
        Duration rotateEvery = section.duration("rotateEvery", Duration.ZERO);
        boolean gzip = section.flag("gzip", false);
        SinkConfig.WhenFull whenFull = whenFull(section);
        return section.build(() -> new SinkConfig.RotatingFile(
                path.orElse(Path.of("missing")), maxBytes, maxFiles, rotateEvery, gzip, whenFull));
    }

    private static Optional<SinkConfig> otlp(Section section) {
        section.onlyOf(List.of("type", "endpoint", "headers", "whenFull"), "for otlp");
        SinkConfig.WhenFull whenFull = whenFull(section);
        return OtlpReader.endpoint(section, "/v1/logs").map(collector -> new SinkConfig.Otlp(collector, whenFull));
    }

    private static SinkConfig.WhenFull whenFull(Section section) {
        return section.choice("whenFull", SinkConfig.WhenFull.class).orElse(SinkConfig.WhenFull.DROP);
    }

    private static Path parsePath(String text) {
        if (text.isBlank()) {
            throw new InvalidPathException(text, "blank");
        }
        return Path.of(text);
    }
}
