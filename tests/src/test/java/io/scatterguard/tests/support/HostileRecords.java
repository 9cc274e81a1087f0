package io.scatterguard.tests.support;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.scatterguard.proxy.reports.Findings;
import io.scatterguard.proxy.reports.FindingsTally;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Audit records, every text of which tries to get out of the format that a report writes it in. */
public final class HostileRecords {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> FRAGMENTS = List.of(
            "<script>alert(1)</script>",
            "<img src=http://leak.invalid/x.png onerror=alert(1)>",
            "\"><b onclick='alert(1)' style=\"x\">",
            "]]>",
            "<![CDATA[",
            "--><!--",
            "&amp;&lt;&#0;&unknown;",
            "'\"`\\",
            "[click](http://leak.invalid/)",
            "{0}{placeholder}",
            "\u0000\u0001\u0008\u000b\u001f\u007f\u0085\u009b",
            "\u001b[31;1mred\u001b]0;title\u0007",
            "\r\n\t ::error::fake\n",
            "\u202e\u2066\u200f\u200b\ufeff\u2028\u2029",
            "\ud800",
            "\udfff\ud800x",
            "\ufffe\uffff\ufdd0",
            "\ud83d\ude00\ud83f\udffe\udb40\udc01",
            "$(reboot) ; `reboot` %n%s",
            "Bücher.地 a.b",
            "");

    private final Random random;

    public HostileRecords(long seed) {
        random = new Random(seed);
    }

    /** What some of them add up to. */
    public Findings findings(int records) {
        FindingsTally tally = new FindingsTally(Set.of("0000000000000001"));
        for (int i = 0; i < records; i++) {
            tally.add(record(i % 3 == 0 ? "%016x".formatted(i) : text() + i));
        }
        return tally.findings();
    }

    private String text() {
        StringBuilder text = new StringBuilder("x");
        for (int i = random.nextInt(4); i >= 0; i--) {
            text.append(FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
        }
        return text.toString();
    }

    private ObjectNode record(String id) {
        ObjectNode record = JSON.createObjectNode();
        record.putObject("client").put("app", text()).put("driver", "pymongo" + text());
        record.put("db", text()).put("coll", text()).put("command", text()).put("owner", text());
        record.put("comment", "test:" + text() + " route:" + text());
        String shape = random.nextInt(10) == 0 ? text().repeat(2_000) : text();
        record.putObject("shape").put("text", shape).put("hash", id);
        record.putObject("route").put("shape", "scatterGather").put("shardCount", random.nextInt(4));
        String field = text();
        record.put("shardKey", "{" + field + ": 1}");
        record.putArray("constrained").addObject().put("field", text()).put("by", text());
        ArrayNode missing = record.putArray("missing");
        missing.add(field).add(text());
        record.put("why", text()).put("fix", text());
        record.putArray("notes").add(text());
        record.putObject("verdict")
                .put("action", random.nextBoolean() ? "log" : "refuse")
                .put("rule", text())
                .put("ruleReason", text());
        record.putObject("micros").put("server", random.nextInt(1_000_000));
        return record;
    }
}
