package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.reports.ReportFormat;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A value of {@code --report}: {@code FORMAT} or {@code FORMAT=FILE}.
 *
 * @param file null for what goes to {@code --output}
 */
record ReportTarget(ReportFormat format, @Nullable String file) {
    /** Reads one. */
    static final class Converter implements ITypeConverter<ReportTarget> {
        @Override
        public ReportTarget convert(String value) {
            int end = value.indexOf('=');
            String name = end < 0 ? value : value.substring(0, end);
            Optional<ReportFormat> format = ReportFormat.named(name);
            if (format.isEmpty()) {
                throw new TypeConversionException(
                        "no format \"" + name + "\" (expected: one of " + ReportFormat.names() + ")");
            }
            String file = end < 0 ? null : value.substring(end + 1);
            if (file != null && (file.isEmpty() || !isPath(file))) {
                throw new TypeConversionException(
                        "\"" + file + "\" is no file name (expected: FORMAT=FILE, like junit=target/scatterguard.xml)");
            }
            return new ReportTarget(format.get(), file == null || file.equals("-") ? null : file);
        }

        private static boolean isPath(String text) {
            try {
                return Path.of(text).getFileName() != null;
            } catch (InvalidPathException e) {
                return false;
            }
        }
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return format.name().toLowerCase(Locale.ROOT) + (file == null ? "" : "=" + file);
    }
}
