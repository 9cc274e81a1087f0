package io.scatterguard.proxy.sources;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The source files under a folder. What is installed, built or hidden is left out, and so are symbolic links and files of
 * more than 1 MB.
 */
final class SourceTree {
    /** The longest file that is read. */
    static final long MAX_BYTES = 1_000_000;

    /** How many files are looked at in one run. */
    static final int MAX_FILES = 200_000;

    private static final int MAX_DEPTH = 64;

    private static final Set<String> LEFT_OUT = Set.of(
            "node_modules",
            "bower_components",
            "vendor",
            "target",
            "build",
            "dist",
            "out",
            "bin",
            "obj",
            "venv",
            "__pycache__",
            "site-packages");

    private final Path root;
    private final Path real;
    private final Map<String, Path> files = new TreeMap<>();
    private final List<String> unreadable = new ArrayList<>();

    /** @throws IOException if there is no such file or folder */
    SourceTree(Path root, Predicate<String> wantedName) throws IOException {
        this.root = root;
        this.real = root.toRealPath();
        Files.walkFileTree(real, EnumSet.noneOf(FileVisitOption.class), MAX_DEPTH, new Visitor(wantedName));
    }

    private final class Visitor extends SimpleFileVisitor<Path> {
        private final Predicate<String> wantedName;

        Visitor(Predicate<String> wantedName) {
            this.wantedName = wantedName;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.equals(real) ? "" : String.valueOf(folder.getFileName());
            return name.startsWith(".") || LEFT_OUT.contains(name)
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && wantedName.test(String.valueOf(file.getFileName()))) {
                if (files.size() == MAX_FILES) {
                    unreadable.add(root + ": more than " + MAX_FILES + " files; the rest was left out");
                    return FileVisitResult.TERMINATE;
                }
                files.put(shown(file), file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            unreadable.add(
                    shown(file) + ": cannot be read (" + failure.getClass().getSimpleName() + ")");
            return FileVisitResult.CONTINUE;
        }
    }

    /** The file's path as the user would write it. */
    private String shown(Path file) {
        Path below = real.relativize(file);
        return (below.toString().isEmpty() ? root : root.resolve(below))
                .normalize()
                .toString()
                .replace('\\', '/');
    }

    /** Gives each file to {@code reader}, in the order of their names. */
    void forEach(Consumer<SourceFile> reader) {
        files.forEach((shown, file) -> {
            try {
                long bytes = Files.size(file);
                if (bytes > MAX_BYTES) {
                    unreadable.add(shown + ": " + bytes + " bytes (expected: at most " + MAX_BYTES + "; left out)");
                    return;
                }
                reader.accept(new SourceFile(shown, new String(Files.readAllBytes(file), StandardCharsets.UTF_8)));
            } catch (IOException e) {
                unreadable.add(shown + ": cannot be read (" + e.getClass().getSimpleName() + ")");
            }
        });
    }

    /** What could not be read, a line each. */
    List<String> unreadable() {
        return List.copyOf(unreadable);
    }

    int fileCount() {
        return files.size();
    }
}
