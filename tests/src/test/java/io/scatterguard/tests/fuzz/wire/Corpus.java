package io.scatterguard.tests.fuzz.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** Inputs in the repository: files of a line each, in base64; what follows a space is a note on the input. */
final class Corpus {
    private Corpus() {}

    /** The inputs of the resource {@code fuzz/wire/name}; none if there is no such file. */
    static List<byte[]> inputs(String name) {
        try (InputStream in = Corpus.class.getResourceAsStream("/fuzz/wire/" + name)) {
            if (in == null) {
                return List.of();
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Corpus::input)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] input(String line) {
        int space = line.indexOf(' ');
        return Base64.getDecoder().decode(space < 0 ? line : line.substring(0, space));
    }

    /** Writes a file for each input into {@code folder}, as Jazzer wants them. */
    static void write(Path folder, List<byte[]> inputs) throws IOException {
        Files.createDirectories(folder);
        for (int i = 0; i < inputs.size(); i++) {
            Files.write(folder.resolve("seed-" + i), inputs.get(i));
        }
    }

    /** The files of {@code folder} as the lines of a corpus, in an order of their own. */
    static List<String> lines(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                lines.add(Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
            }
        }
        lines.sort(null);
        return lines;
    }
}
