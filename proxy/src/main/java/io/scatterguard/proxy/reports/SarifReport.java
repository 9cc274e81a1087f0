package io.scatterguard.proxy.reports;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Findings as SARIF 2.1.0, for code scanning: a rule for each kind, a result for each finding.
 *
 * <p>A finding has a namespace and no file. Its place is a logical one; GitHub takes no result without a file though, so the
 * namespace stands for one ({@code namespaces/shop.orders}), as scanners of images do with the image's name.
 */
public final class SarifReport {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Finding.Kind> RULES = List.of(Finding.Kind.values());
    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    private SarifReport() {}

    /** The document, with a line feed. */
    public static String of(Findings findings) {
        ObjectNode log = JSON.createObjectNode().put("$schema", SCHEMA).put("version", "2.1.0");
        ObjectNode run = log.putArray("runs").addObject();
        driver(run.putObject("tool").putObject("driver"));
        run.putObject("automationDetails").put("id", "scatterguard/");
        ArrayNode results = run.putArray("results");
        findings.all().forEach(finding -> result(results.addObject(), finding));
        JsonReport.totals(run.putObject("properties").putObject("totals"), findings);
        return JsonText.of(log);
    }

    private static void driver(ObjectNode driver) {
        driver.put("name", "Scatterguard");
        String version = SarifReport.class.getPackage().getImplementationVersion();
        if (version != null) {
            driver.put("version", version);
        }
        ArrayNode rules = driver.putArray("rules");
        for (Finding.Kind kind : RULES) {
            ObjectNode rule = rules.addObject().put("id", kind.anchor()).put("name", kind.text());
            rule.putObject("shortDescription").put("text", kind.text());
            rule.putObject("fullDescription").put("text", KindHelp.plain(kind));
            rule.putObject("help")
                    .put("text", KindHelp.plain(kind) + " See " + KindHelp.documentation(kind))
                    .put(
                            "markdown",
                            "**" + kind.text() + "**. " + KindHelp.plain(kind) + " See `" + KindHelp.documentation(kind)
                                    + "`.");
            rule.putObject("defaultConfiguration").put("level", "warning");
            rule.putObject("properties").putArray("tags").add("mongodb").add("performance");
        }
    }

    private static void result(ObjectNode result, Finding finding) {
        result.put("ruleId", finding.kind().anchor());
        result.put("ruleIndex", RULES.indexOf(finding.kind()));
        result.put("level", finding.seen().refused() > 0 ? "error" : "warning");
        result.put("baselineState", finding.known() ? "unchanged" : "new");
        result.put(
                "occurrenceCount",
                Math.min(Integer.MAX_VALUE, Math.max(1, finding.seen().times())));
        result.putObject("message").put("text", message(finding));
        String namespace = finding.subject().namespace();
        ObjectNode location = result.putArray("locations").addObject();
        ObjectNode physical = location.putObject("physicalLocation");
        physical.putObject("artifactLocation").put("uri", "namespaces/" + encoded(namespace));
        physical.putObject("region").put("startLine", 1);
        location.putArray("logicalLocations")
                .addObject()
                .put("name", namespace.substring(namespace.indexOf('.') + 1))
                .put("fullyQualifiedName", namespace)
                .put("kind", "namespace");
        // The first is what GitHub tells results apart by.
        result.putObject("partialFingerprints")
                .put("primaryLocationLineHash", finding.id())
                .put("scatterguardShape/v1", finding.id());
        JsonReport.write(result.putObject("properties"), finding);
    }

    /**
     * All that is to be said. Braces and brackets would be placeholders and links in a message of SARIF, so they are round here;
     * the properties have them as they are.
     */
    private static String message(Finding finding) {
        FindingText its = FindingText.of(finding);
        String lines = its.lines().stream().map(Object::toString).collect(Collectors.joining("\n"));
        return (its.headline() + "\n" + lines)
                .replace('{', '(')
                .replace('}', ')')
                .replace('[', '(')
                .replace(']', ')');
    }

    /** Percent-encoded but for letters, digits and {@code ._-}. */
    private static String encoded(String name) {
        StringBuilder uri = new StringBuilder();
        for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (one & 0xff);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '.'
                    || c == '_'
                    || c == '-';
            uri.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return uri.toString();
    }
}
