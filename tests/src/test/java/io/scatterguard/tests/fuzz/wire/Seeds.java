package io.scatterguard.tests.fuzz.wire;

import io.scatterguard.proxy.net.ProxyHeaderTarget;
import io.scatterguard.proxy.offline.VectorCatalog;
import io.scatterguard.tests.captures.Capture;
import io.scatterguard.tests.captures.Capture.Direction;
import io.scatterguard.tests.conformance.Lines;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.OpQueryBuilder;
import io.scatterguard.tests.support.RawMessage;
import io.scatterguard.tests.support.WireFrame;
import io.scatterguard.tests.support.WireHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Where fuzzing begins: what real clients sent, and the commands and filters of the vectors. */
final class Seeds {
    private static final int LONGEST_BYTES = 4096;
    /** Noop, snappy, zlib, zstd. */
    private static final int COMPRESSORS = 4;

    private static final List<String> VECTORS =
            List.of("targeting-from-tests.jsonl", "targeting-newer.jsonl", "found-by-fuzzing.jsonl");

    /** Documents that hold a filter, by field; in statements and stages too. */
    private static final List<String> FILTERS = List.of("filter", "query", "q", "$match");

    private Seeds() {}

    static List<byte[]> of(WireTarget target) {
        List<byte[]> seeds = switch (target) {
            case FRAMES -> frames();
            case COMMAND -> commands();
            case FILTER -> filters();
            case DECOMPRESSION -> compressed();
            case PROXY_HEADER -> ProxyHeaderTarget.seeds();
        };
        return seeds.stream().filter(seed -> seed.length <= LONGEST_BYTES).toList();
    }

    private static List<byte[]> frames() {
        List<byte[]> seeds = new ArrayList<>();
        for (String name : Capture.NAMES) {
            Capture capture = Capture.read(name);
            for (int connection : capture.connections()) {
                for (Direction direction : Direction.values()) {
                    boolean replies = direction == Direction.TO_CLIENT;
                    byte[] stream = capture.stream(connection, direction);
                    seeds.add(FramesTarget.input(replies, 17, stream));
                    Capture.messages(stream).forEach(m -> seeds.add(FramesTarget.input(replies, 1, m.bytes())));
                }
            }
        }
        return seeds;
    }

    private static List<byte[]> commands() {
        List<byte[]> seeds = new ArrayList<>(recorded().map(WireFrame::bytes).toList());
        for (BsonDocument vector : vectors()) {
            BsonDocument command = vector.getDocument("command").clone();
            int requestId = seeds.size();
            seeds.add(OpQueryBuilder.of(requestId, command).encode());
            command.append("$db", new BsonString(VectorCatalog.DATABASE));
            seeds.add(OpMsgBuilder.of(requestId, command).encode());
        }
        return seeds;
    }

    private static Stream<WireFrame> recorded() {
        return Capture.NAMES.stream()
                .map(Capture::read)
                .flatMap(capture -> capture.connections().stream()
                        .flatMap(connection ->
                                Stream.of(Direction.values()).map(direction -> capture.stream(connection, direction))))
                .flatMap(stream -> Capture.messages(stream).stream());
    }

    /** What was recorded is compressed by zlib; the rest we compress. */
    private static List<byte[]> compressed() {
        List<byte[]> seeds = new ArrayList<>();
        List<WireFrame> plain = new ArrayList<>();
        recorded().forEach(message -> {
            if (message.opCode() == WireHeader.OP_COMPRESSED) {
                seeds.add(DecompressionTarget.input(message.bytes()));
            } else {
                plain.add(message);
            }
        });
        for (int i = 0; i < plain.size(); i++) {
            seeds.add(DecompressionTarget.input(plain.get(i).bytes(), i % COMPRESSORS));
        }
        return seeds;
    }

    private static List<byte[]> filters() {
        List<BsonDocument> filters = new ArrayList<>();
        vectors().forEach(vector -> collect(vector.getDocument("command"), filters));
        List<byte[]> seeds = new ArrayList<>();
        for (int i = 0; i < filters.size(); i++) {
            seeds.add(FilterTarget.input(i, RawMessage.bson(filters.get(i))));
        }
        return seeds;
    }

    private static void collect(BsonDocument document, List<BsonDocument> filters) {
        document.forEach((name, value) -> {
            if (FILTERS.contains(name) && value.isDocument()) {
                filters.add(value.asDocument());
            } else if (value.isDocument()) {
                collect(value.asDocument(), filters);
            } else if (value.isArray()) {
                value.asArray().stream().filter(BsonValue::isDocument).forEach(v -> collect(v.asDocument(), filters));
            }
        });
    }

    private static List<BsonDocument> vectors() {
        return VECTORS.stream()
                .flatMap(name -> Lines.of(name).stream())
                .map(BsonDocument::parse)
                .filter(vector -> vector.containsKey("command"))
                .toList();
    }
}
