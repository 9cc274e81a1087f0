package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.config.PolicyConfig.Mode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mode}: the way out of a running proxy, and back. */
@Command(
        name = "mode",
        description = {
            "Sets the mode of a running proxy, until it is taken back or the process ends: bypass, observe, enforce, or"
                    + " configured for what the configuration says.",
            "Needs \"admin\" with a token in the proxy's configuration (docs/http.md)."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  scatterguard mode bypass --token-file /run/secrets/admin",
            "  scatterguard mode configured --admin http://10.0.0.5:19127 --token-file /run/secrets/admin",
            "",
            "Exit codes: 0 set, 1 the proxy does not answer or refuses, 2 wrong command line or input."
        })
final class ModeCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "MODE", description = "bypass, observe, enforce or configured.")
    private String mode = "";

    @Option(
            names = "--listener",
            paramLabel = "BIND",
            description = "The bind of one listener, host:port. Default: all of them.")
    private @Nullable String listener;

    @Option(
            names = "--admin",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:19127",
            description = "Where the proxy answers its API. Default: ${DEFAULT-VALUE}")
    private URI admin = URI.create("http://127.0.0.1:19127");

    @Option(
            names = "--token-file",
            required = true,
            paramLabel = "FILE",
            description = "A file with admin.token; a command line would show it to everybody on the machine.")
    private Path tokenFile = Path.of("token");

    @Override
    public Integer call() throws InterruptedException {
        if (!mode.equals("configured")
                && Arrays.stream(Mode.values()).noneMatch(known -> known.text().equals(mode))) {
            throw new InputException("MODE " + mode + " (expected: bypass, observe, enforce or configured)");
        }
        BsonDocument asked = new BsonDocument("mode", new BsonString(mode));
        if (listener != null) {
            asked.append("listener", new BsonString(listener));
        }
        try {
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(request(asked.toJson()), HttpResponse.BodyHandlers.ofString());
            return told(answer).code();
        } catch (IOException e) {
            spec.commandLine()
                    .getErr()
                    .println(admin + " does not answer (" + e.getClass().getSimpleName()
                            + "); expected there: a proxy with \"admin\" in its configuration");
            return ExitCode.FAILED.code();
        }
    }

    private HttpRequest request(String body) {
        try {
            return HttpRequest.newBuilder(admin.resolve("/api/v1/mode"))
                    .timeout(PATIENCE)
                    .header(
                            "Authorization",
                            "Bearer " + InputFile.text(tokenFile.toString()).strip())
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new InputException(
                    "--admin or --token-file: not usable in a request (expected: an http URL, and a token of"
                            + " visible ASCII characters)");
        }
    }

    private ExitCode told(HttpResponse<String> answer) {
        if (answer.statusCode() == 200) {
            spec.commandLine().getOut().println(answer.body());
            return ExitCode.OK;
        }
        spec.commandLine().getErr().println(admin + " answered " + answer.statusCode() + ": " + answer.body());
        return ExitCode.FAILED;
    }
}
