package io.scatterguard.proxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Every metric there is. {@code docs/metrics.md} describes each, and a test holds it to this list; a name once published is
 * not changed.
 */
public enum Metric {
    COMMANDS(Type.COUNTER, "commands", "Requests that have ended", "op", "verdict"),
    HOSTS_TARGETED(Type.COUNTER, "hosts.targeted", "Commands forwarded, as numHostsTargeted counts", "op", "placement"),
    FINDINGS(Type.COUNTER, "findings", "Findings of the policy", "owner", "namespace", "shape", "action"),
    PROXY_DURATION(Type.HISTOGRAM, "proxy.duration", "Time of judged commands in the proxy"),
    SERVER_DURATION(Type.HISTOGRAM, "server.duration", "Time from forwarding to the end of the reply", "shape"),
    SHARD_SECONDS(Type.COUNTER, "shard.seconds", "Server time times predicted shards", "owner"),
    BYTES(Type.COUNTER, "bytes", "Bytes of requests and replies", "direction"),
    REQUESTS(Type.COUNTER, "requests", "Requests received", "opcode"),
    FORWARDED(Type.COUNTER, "requests.forwarded", "Requests sent on to servers"),
    REFUSED(Type.COUNTER, "refused", "Requests answered with a refusal"),
    WOULD_REFUSE(Type.COUNTER, "would.refuse", "Commands the policy refuses that were forwarded"),
    WOULD_FAIL(Type.COUNTER, "would.fail", "Commands a cluster sharded by the declared keys would refuse"),
    MALFORMED(Type.COUNTER, "malformed", "Requests that contradict themselves"),
    METADATA_WAITS(Type.COUNTER, "metadata.waits", "Commands that waited for metadata", "outcome"),
    CONNECTIONS(Type.GAUGE, "connections", "Client connections", "state"),
    ACCEPTED(Type.COUNTER, "connections.accepted", "Client connections accepted"),
    ACCEPT_FAILURES(Type.COUNTER, "accept.failures", "Connections that could not be accepted"),
    CLOSES(Type.COUNTER, "closes", "Connections closed", "cause"),
    INTERNAL_ERRORS(Type.COUNTER, "internal.errors", "Faults of the proxy", "part"),
    BYPASSED(Type.GAUGE, "bypassed", "1 where nothing is judged", "listener"),
    POLICY_VERSION(Type.GAUGE, "policy.version", "Version of the policy in force"),
    EDITS(Type.COUNTER, "configuration.edits", "Edits of the configuration while running", "outcome"),
    EDIT_REFUSED(Type.GAUGE, "configuration.refused", "1 while the last edit is wrong"),
    EXEMPTIONS(Type.GAUGE, "exemptions", "Registered exemptions", "state"),
    REQUEST_BUFFER_USED(Type.GAUGE, "request.buffer.used.bytes", "Bytes that large requests hold"),
    REQUEST_BUFFER_LIMIT(Type.GAUGE, "request.buffer.limit.bytes", "Bytes that large requests may hold"),
    REQUEST_BUFFER_WAITING(Type.GAUGE, "request.buffer.waiting", "Large requests that wait for room"),
    CATALOG_READY(Type.GAUGE, "catalog.ready", "1 once metadata was read"),
    CATALOG_AGE(Type.GAUGE, "catalog.age.seconds", "Age of the metadata"),
    CATALOG_REFRESHES(Type.COUNTER, "catalog.refreshes", "Sweeps over the metadata", "outcome"),
    CATALOG_FAILED_LOOKS(Type.COUNTER, "catalog.failed.looks", "Failed looks at single collections"),
    CATALOG_PROBLEMS(Type.GAUGE, "catalog.problems", "Things in the metadata that were not understood"),
    CATALOG_COLLECTIONS(Type.GAUGE, "catalog.collections", "Collections", "state"),
    CATALOG_CHUNKS(Type.GAUGE, "catalog.chunks", "Chunks of the loaded routing tables"),
    CATALOG_QUERIES(Type.COUNTER, "catalog.queries", "Queries for metadata"),
    CATALOG_CHUNKS_READ(Type.COUNTER, "catalog.chunks.read", "Chunk documents read"),
    AUDIT_WAITING(Type.GAUGE, "audit.waiting.records", "Audit records that wait for a sink"),
    AUDIT_CAPACITY(Type.GAUGE, "audit.capacity.records", "Audit records that may wait"),
    AUDIT_PEAK(Type.GAUGE, "audit.peak.records", "The most audit records that ever waited"),
    AUDIT_SINK_WAITING(Type.GAUGE, "audit.sink.waiting.records", "Audit records that wait for sinks", "sink"),
    AUDIT_SINK_CAPACITY(Type.GAUGE, "audit.sink.capacity.records", "Audit records that may wait for sinks", "sink"),
    AUDIT_SINK_PEAK(
            Type.GAUGE, "audit.sink.peak.records", "The most audit records that ever waited for a sink", "sink"),
    AUDIT_RECORDS(Type.COUNTER, "audit.records", "Audit records", "outcome"),
    AUDIT_SINK_ERRORS(Type.COUNTER, "audit.sink.errors", "Failures of an audit sink"),
    SPANS(Type.COUNTER, "spans", "Spans of commands", "outcome"),
    PUSHES(Type.COUNTER, "metrics.pushes", "Attempts to send the metrics to a collector", "outcome"),
    TLS_EXPIRY(Type.GAUGE, "tls.certificate.expiry.timestamp.seconds", "When the certificate ends", "tls"),
    LABELS_FOLDED(Type.COUNTER, "labels.folded", "Label values counted under other", "label"),
    TABLE_ENTRIES(Type.GAUGE, "table.entries", "Entries of tables that clients fill", "table"),
    TABLE_CAPACITY(Type.GAUGE, "table.capacity", "Entries such a table has at most", "table"),
    HEAP_USED(Type.GAUGE, "heap.used.bytes", "Bytes of the heap in use"),
    HEAP_LIMIT(Type.GAUGE, "heap.limit.bytes", "Bytes the heap may have"),
    DIRECT_USED(Type.GAUGE, "direct.memory.used.bytes", "Bytes of buffers outside the heap"),
    DIRECT_LIMIT(Type.GAUGE, "direct.memory.limit.bytes", "Bytes buffers outside the heap may have"),
    GC_PAUSES(Type.COUNTER, "gc.pauses", "Pauses of the process to collect garbage"),
    GC_PAUSE_TIME(Type.COUNTER, "gc.pause.seconds", "How long these pauses took"),
    THREADS(Type.GAUGE, "threads", "Threads of the process"),
    OPEN_FILES(Type.GAUGE, "open.files", "Open file descriptors"),
    OPEN_FILES_LIMIT(Type.GAUGE, "open.files.limit", "File descriptors the process may have open"),
    START_TIME(Type.GAUGE, "start.timestamp.seconds", "When the proxy started"),
    BUILD(Type.GAUGE, "build", "1, with the version", "version");

    /** How a metric behaves. */
    public enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    /** What every name begins with. */
    public static final String PREFIX = "scatterguard.";

    /** The upper ends of the histograms' buckets. */
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(50_000),
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private final Type type;
    private final String text;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // List.of: nobody can change it
    private final List<String> labels;

    Metric(Type type, String text, String description, String... labels) {
        this.type = type;
        this.text = text;
        this.description = description;
        this.labels = List.of(labels);
    }

    public Type type() {
        return type;
    }

    /** The names of its labels, besides {@code cluster}, which every metric has. */
    public List<String> labels() {
        return labels;
    }

    /** The name as Prometheus shows it; of a histogram without {@code _bucket}, {@code _count}, {@code _sum}, {@code _max}. */
    public String prometheusName() {
        String name = (PREFIX + text).replace('.', '_');
        return switch (type) {
            case COUNTER -> name + "_total";
            case GAUGE -> name;
            case HISTOGRAM -> name + "_seconds";
        };
    }

    /** The name as it is sent by OTLP. */
    public String otlpName() {
        return PREFIX + text;
    }

    /** A counter with these values of its labels, in order. */
    Counter counter(MeterRegistry registry, String... values) {
        return Counter.builder(PREFIX + text)
                .description(description)
                .tags(tags(Type.COUNTER, values))
                .register(registry);
    }

    /** A counter that is read from {@code source}, which must be held by whoever registers it. */
    <T> void counter(MeterRegistry registry, T source, ToDoubleFunction<T> count, String... values) {
        FunctionCounter.builder(PREFIX + text, source, count)
                .description(description)
                .tags(tags(Type.COUNTER, values))
                .register(registry);
    }

    <T> void gauge(MeterRegistry registry, T source, ToDoubleFunction<T> value, String... values) {
        Gauge.builder(PREFIX + text, source, value)
                .description(description)
                .tags(tags(Type.GAUGE, values))
                .strongReference(true)
                .register(registry);
    }

    Timer histogram(MeterRegistry registry, String... values) {
        return Timer.builder(PREFIX + text)
                .description(description)
                .serviceLevelObjectives(BUCKETS)
                .tags(tags(Type.HISTOGRAM, values))
                .register(registry);
    }

    private String[] tags(Type asked, String... values) {
        if (asked != type || values.length != labels.size()) {
            throw new IllegalStateException(name() + ": " + asked + " with " + values.length + " labels (expected: "
                    + type + " with " + labels + ")");
        }
        String[] tags = new String[2 * values.length];
        for (int i = 0; i < values.length; i++) {
            tags[2 * i] = labels.get(i);
            tags[2 * i + 1] = values[i];
        }
        return tags;
    }
}
