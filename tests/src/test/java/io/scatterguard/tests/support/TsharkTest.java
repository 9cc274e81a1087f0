package io.scatterguard.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A decoder that neither we nor the tests wrote reads what the scripted mongos and the raw client send. */
class TsharkTest {
    private static final int PORT = 27_017;
    private static final List<WireCompressor> UNPACKED =
            List.of(WireCompressor.NOOP, WireCompressor.SNAPPY, WireCompressor.ZLIB);
    private static final BsonDocument PING = BsonDocument.parse("{ping: 1, $db: 'admin'}");

    private final List<String> expected = new ArrayList<>();
    private final PcapFile capture = new PcapFile(PORT);

    @Test
    void everyKindOfFrameIsReadByTshark(@TempDir Path folder) throws Exception {
        assumeTshark();
        try (ScriptedMongos mongos =
                        ScriptedMongos.start().withTopologyVersion().withData().withClusterTime();
                RawClient client = RawClient.connect(mongos.port())) {
            exchange(client, client.query(BsonDocument.parse("{ismaster: 1, helloOk: true}")), 1);
            exchange(client, client.msg(PING), 1);
            exchange(
                    client,
                    client.msg(BsonDocument.parse("{insert: 'things', $db: 'shop'}"))
                            .sequence("documents", numbered(20)),
                    1);
            exchange(
                    client,
                    client.msg(BsonDocument.parse("{delete: 'things', $db: 'shop'}"))
                            .sequenceBeforeBody("deletes", List.of(BsonDocument.parse("{q: {_id: 99}, limit: 1}"))),
                    1);
            exchange(
                    client,
                    client.msg(BsonDocument.parse("{insert: 'things', documents: [{_id: 50}], $db: 'shop'}"))
                            .moreToCome(),
                    0);
            for (WireCompressor compressor : UNPACKED) {
                exchange(client, new CompressedMessage(client.msg(PING), compressor), 1);
            }
            BsonDocument find = BsonDocument.parse("{find: 'things', batchSize: 5, $db: 'shop'}");
            WireFrame first = exchange(client, client.msg(find), 1).get(0);
            BsonDocument getMore = new BsonDocument(
                    "getMore", first.body().getDocument("cursor").get("id"));
            getMore.putAll(BsonDocument.parse("{collection: 'things', batchSize: 4, $db: 'shop'}"));
            exchange(client, client.msg(getMore).exhaustAllowed(), 4);
            exchange(client, client.query(new BsonDocument()).namespace("shop.things"), 1);
        }
        assertThat(expected).as("a guard against an empty capture").hasSizeGreaterThan(20);
        Path file = folder.resolve("frames.pcap");
        Files.write(file, capture.bytes());
        assertThat(tshark(file, "-T", "fields", "-e", "mongo.request_id", "-e", "mongo.opcode")
                        .lines()
                        .flatMap(TsharkTest::messages)
                        .toList())
                .containsExactlyElementsOf(expected);
        assertThat(tshark(file, "-T", "fields", "-e", "mongo.compression.original_size")
                        .lines()
                        .filter(line -> !line.isBlank()))
                .as("compressed messages")
                .hasSize(2 * UNPACKED.size());
        String details = tshark(file, "-J", "mongo", "-T", "json");
        assertThat(details)
                .contains("\"mongo.msg.sections.section.doc_sequence_id\": \"documents\"")
                .contains("\"mongo.msg.flags.moretocome\": \"1\"")
                .doesNotContainIgnoringCase("malformed")
                .doesNotContain(
                        "unsupported_compressed", "mongo.unknown", ".bad\"", "recursion_exceeded", "_ws.expert");
    }

    /** tshark 4.0 knows the flag but takes the four bytes at the end for a section: only the flag is looked at. */
    @Test
    void aChecksumIsAnnouncedToTshark(@TempDir Path folder) throws Exception {
        assumeTshark();
        try (ScriptedMongos mongos = ScriptedMongos.start();
                RawClient client = RawClient.connect(mongos.port())) {
            exchange(client, client.msg(PING).checksum(), 1);
        }
        Path file = folder.resolve("frames.pcap");
        Files.write(file, capture.bytes());
        assertThat(tshark(file, "-T", "fields", "-e", "mongo.msg.flags.checksumpresent")
                        .lines())
                .containsExactly("1", "1");
    }

    /** tshark 4.0 does not unpack zstd; the drivers' own libraries do, where they are compressed to. */
    @Test
    void zstdIsAnnouncedToTshark(@TempDir Path folder) throws Exception {
        assumeTshark();
        try (ScriptedMongos mongos = ScriptedMongos.start();
                RawClient client = RawClient.connect(mongos.port())) {
            exchange(client, new CompressedMessage(client.msg(PING), WireCompressor.ZSTD), 1);
        }
        Path file = folder.resolve("frames.pcap");
        Files.write(file, capture.bytes());
        String fields = tshark(
                file, "-T", "fields", "-e", "mongo.compression.original_opcode", "-e", "mongo.compression.compressor");
        assertThat(fields.lines()).containsExactly("2013\t3", "2013\t3");
    }

    /** The counterpart: tshark does complain when a length is wrong. */
    @Test
    void aWrongLengthIsSeenByTshark(@TempDir Path folder) throws Exception {
        assumeTshark();
        byte[] ping = OpMsgBuilder.of(1, PING).encode();
        ping[WireHeader.BYTES + 5] = 127; // The length of the body's document.
        capture.fromClient(ping);
        Path file = folder.resolve("frames.pcap");
        Files.write(file, capture.bytes());
        assertThat(tshark(file, "-J", "mongo", "-T", "json")).containsAnyOf("_ws.malformed", "_ws.expert", ".bad\"");
    }

    private List<WireFrame> exchange(RawClient client, RawMessage request, int replies) {
        byte[] sent = request.encode();
        client.send(request);
        capture.fromClient(sent);
        expect(WireHeader.parse(sent));
        List<WireFrame> received = new ArrayList<>();
        for (int i = 0; i < replies; i++) {
            WireFrame reply = client.receive();
            capture.fromServer(reply.bytes());
            expect(reply.header());
            received.add(reply);
        }
        return received;
    }

    private void expect(WireHeader header) {
        expected.add(String.format("0x%08x %d", header.requestId(), header.opCode()));
    }

    /** {@code id,id TAB opcode,opcode}: several messages of one segment, and the original opcode of none. */
    private static Stream<String> messages(String line) {
        String[] columns = line.split("\t", -1);
        if (columns.length < 2 || columns[0].isEmpty()) {
            return Stream.of();
        }
        String[] ids = columns[0].split(",");
        String[] opCodes = columns[1].split(",");
        return IntStream.range(0, ids.length).mapToObj(i -> ids[i] + " " + opCodes[i]);
    }

    private static List<BsonDocument> numbered(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new BsonDocument("_id", new BsonInt32(i)))
                .toList();
    }

    private static String tshark(Path file, String... options) throws IOException, InterruptedException {
        List<String> commandLine =
                new ArrayList<>(List.of("tshark", "-r", file.toString(), "-d", "tcp.port==" + PORT + ",mongo"));
        commandLine.addAll(List.of("-o", "tcp.check_checksum:false"));
        commandLine.addAll(List.of(options));
        Path out = file.resolveSibling("out");
        Process process = new ProcessBuilder(commandLine)
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("tshark did not end within 60 s");
        }
        assertThat(process.exitValue()).as("tshark's exit code").isZero();
        return Files.readString(out);
    }

    /** Skips the test, saying why, where tshark is missing; fails it where the environment has CI=true. */
    private static void assumeTshark() throws InterruptedException {
        try {
            new ProcessBuilder("tshark", "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            String reason = "tshark is missing (install it to have the test's codec checked): " + e.getMessage();
            if ("true".equals(System.getenv("CI"))) {
                throw new AssertionError(reason);
            }
            System.out.println("SKIPPED " + reason);
            Assumptions.abort(reason);
        }
    }
}
