package io.scatterguard.tests.support;

import io.scatterguard.proxy.cli.Main;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A run of the command line in this process. It replaces the process's streams meanwhile, so that a test that uses it locks
 * {@code Resources.SYSTEM_OUT}.
 */
public record CommandLineRun(int code, String out, String err) {
    public static CommandLineRun of(String... args) {
        return withInput("", args);
    }

    public static CommandLineRun withInput(String input, String... args) {
        InputStream in = System.in;
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
        int code;
        try {
            code = Main.run(args);
        } finally {
            System.setIn(in);
            System.setOut(out);
            System.setErr(err);
        }
        return new CommandLineRun(
                code, outBytes.toString(StandardCharsets.UTF_8), errBytes.toString(StandardCharsets.UTF_8));
    }
}
