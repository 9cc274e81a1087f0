package io.scatterguard.proxy.metrics;

import com.fasterxml.jackson.core.JsonGenerator;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.scatterguard.proxy.otlp.OtlpFields;
import io.scatterguard.proxy.otlp.OtlpSignal;
import io.scatterguard.proxy.otlp.OtlpTarget;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Writes the meters of a registry as an export request, cumulative since the start of the process. It reads the meters that
 * Prometheus reads: what is sent costs no command anything.
 */
final class MetricsJson {
    /** Cumulative: each request holds all since {@code startTimeUnixNano}. */
    private static final int CUMULATIVE = 2;

    private static final int BYTES_A_SERIES = 300;

    private final OtlpTarget target;
    private final Instant started;

    MetricsJson(OtlpTarget target, Instant started) {
        this.target = target;
        this.started = started;
    }

    /** The body of a request for everything in {@code registry}, as of {@code now}. */
    byte[] request(MeterRegistry registry, Instant now) throws IOException {
        Map<String, List<Meter>> byName = new TreeMap<>();
        List<Meter> meters = registry.getMeters();
        meters.forEach(meter -> byName.computeIfAbsent(meter.getId().getName(), name -> new ArrayList<>())
                .add(meter));
        return OtlpSignal.METRICS.request(target, "scatterguard.metrics", meters.size() * BYTES_A_SERIES, json -> {
            for (List<Meter> series : byName.values()) {
                new Writer(new OtlpFields(json), now).metric(series);
            }
        });
    }

    /** Writes the metrics of one request. */
    private final class Writer {
        private final OtlpFields fields;
        private final JsonGenerator json;
        private final Instant now;

        Writer(OtlpFields fields, Instant now) {
            this.fields = fields;
            this.json = fields.json();
            this.now = now;
        }

        /** One metric with all its series. */
        void metric(List<Meter> series) throws IOException {
            Meter first = series.get(0);
            json.writeStartObject();
            json.writeStringField("name", first.getId().getName());
            json.writeStringField("description", String.valueOf(first.getId().getDescription()));
            if (first instanceof Timer) {
                json.writeStringField("unit", "s");
                json.writeObjectFieldStart("histogram");
                json.writeNumberField("aggregationTemporality", CUMULATIVE);
            } else if (first instanceof Gauge) {
                json.writeObjectFieldStart("gauge");
            } else {
                json.writeObjectFieldStart("sum");
                json.writeNumberField("aggregationTemporality", CUMULATIVE);
                json.writeBooleanField("isMonotonic", true);
            }
            json.writeArrayFieldStart("dataPoints");
            for (Meter meter : series) {
                point(meter);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndObject();
        }

        private void point(Meter meter) throws IOException {
            if (meter instanceof Timer timer) {
                begin(timer);
                histogram(timer.takeSnapshot());
                json.writeEndObject();
                return;
            }
            double value = value(meter);
            if (!Double.isFinite(value)) {
                return; // nothing is known: no point says so
            }
            begin(meter);
            json.writeNumberField("asDouble", value);
            json.writeEndObject();
        }

        private static double value(Meter meter) {
            if (meter instanceof Gauge gauge) {
                return gauge.value();
            }
            return meter instanceof Counter counter ? counter.count() : ((FunctionCounter) meter).count();
        }

        private void begin(Meter meter) throws IOException {
            json.writeStartObject();
            json.writeArrayFieldStart("attributes");
            for (Tag tag : meter.getId().getTags()) {
                fields.attribute(tag.getKey(), tag.getValue());
            }
            json.writeEndArray();
            if (!(meter instanceof Gauge)) {
                fields.time("startTimeUnixNano", started);
            }
            fields.time("timeUnixNano", now);
        }

        /** Its parts are read one after another while it changes: the count is made to be the sum of the buckets. */
        private void histogram(HistogramSnapshot snapshot) throws IOException {
            CountAtBucket[] buckets = snapshot.histogramCounts();
            json.writeNumberField("sum", snapshot.total(TimeUnit.SECONDS));
            json.writeArrayFieldStart("explicitBounds");
            for (CountAtBucket bucket : buckets) {
                json.writeNumber(bucket.bucket(TimeUnit.SECONDS));
            }
            json.writeEndArray();
            long below = 0;
            json.writeArrayFieldStart("bucketCounts");
            for (CountAtBucket bucket : buckets) {
                long upTo = Math.max(below, (long) bucket.count());
                json.writeString(Long.toString(upTo - below));
                below = upTo;
            }
            long count = Math.max(below, snapshot.count());
            json.writeString(Long.toString(count - below));
            json.writeEndArray();
            json.writeStringField("count", Long.toString(count));
        }
    }
}
