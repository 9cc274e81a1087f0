package io.scatterguard.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.MissingTables;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which namespaces a command is judged by; what else it names is not waited for. */
class NotLoadedTest {
    private static final int OP_MSG = 2013;

    private static final CatalogSnapshot CATALOG = without("shop.c", "shop.fs.chunks", "shop.system.buckets.t");

    private static CatalogSnapshot without(String... names) {
        Set<Namespace> missing = List.of(names).stream().map(Namespace::parse).collect(Collectors.toSet());
        return MissingTables.snapshot(true, missing, Set.of());
    }

    private static CommandView command(String json) {
        return CommandView.of("shop", BsonView.encode(BsonDocument.parse(json)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c'} | shop.c",
                "{find: 'd'} | ''",
                "{find: 't'} | shop.system.buckets.t",
                "{aggregate: 'c', pipeline: []} | shop.c",
                "{aggregate: 'd', pipeline: [{$lookup: {from: 'c', as: 'x'}}]} | ''",
                "{aggregate: 1, pipeline: []} | ''",
                "{explain: {count: 'c'}} | shop.c",
                "{explain: 'c'} | ''",
                "{filemd5: 1} | shop.fs.chunks",
                "{createIndexes: 'c', indexes: []} | shop.c",
                "{refineCollectionShardKey: 'shop.c'} | shop.c",
                "{dbStats: 1} | ''",
                "{bulkWrite: 1, nsInfo: [{ns: 'shop.c'}, {ns: 'shop.t'}, {ns: 'shop.c'}]} | shop.c,shop.system.buckets.t",
                "{bulkWrite: 1, nsInfo: [{}, {ns: 5}, 7]} | ''",
                "{bulkWrite: 1, nsInfo: 'shop.c'} | ''"
            })
    void namesWhatTheRouteNeeds(String json, String expected) {
        assertThat(NotLoaded.of(command(json), CATALOG).stream()
                        .map(Namespace::fullName)
                        .collect(Collectors.joining(",")))
                .isEqualTo(expected);
    }

    @Test
    void aBulkWriteIsLookedThroughOnlySoFar() {
        List<String> names =
                IntStream.range(0, 1_000).mapToObj(i -> "shop.c" + i).toList();
        CatalogSnapshot catalog = without(names.toArray(String[]::new));
        List<BsonDocument> entries = names.stream()
                .map(name -> new BsonDocument("ns", new BsonString(name)))
                .toList();
        String array = entries.stream().map(BsonDocument::toJson).collect(Collectors.joining(","));
        assertThat(NotLoaded.of(command("{bulkWrite: 1, nsInfo: [" + array + "]}"), catalog))
                .hasSize(NotLoaded.MAX_NAMESPACES);
        WireMessage message = WireMessage.decode(withSequence(entries));
        assertThat(NotLoaded.of(CommandView.of((OpMsg) message), catalog))
                .hasSize(NotLoaded.MAX_NAMESPACES)
                .startsWith(new Namespace("shop", "c0"));
        message.release();
    }

    private static ByteBuf withSequence(List<BsonDocument> entries) {
        ByteBuf bytes = Unpooled.buffer().writeZero(12).writeIntLE(OP_MSG).writeIntLE(0);
        bytes.writeByte(0)
                .writeBytes(BsonView.encode(BsonDocument.parse("{bulkWrite: 1, $db: 'admin'}"))
                        .toByteArray());
        int section = bytes.writeByte(1).writerIndex();
        bytes.writeIntLE(0).writeBytes("nsInfo\0".getBytes(StandardCharsets.US_ASCII));
        entries.forEach(entry -> bytes.writeBytes(BsonView.encode(entry).toByteArray()));
        bytes.setIntLE(section, bytes.writerIndex() - section);
        return bytes.setIntLE(0, bytes.writerIndex());
    }

    @Test
    void nothingIsAllocatedWhereNothingIsMissing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        CommandView find = command("{find: 'd', filter: {a: 1}}");
        List<Long> bytes = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                if (!NotLoaded.of(find, CATALOG).isEmpty()) {
                    throw new AssertionError("missing");
                }
            }
            bytes.add(threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(bytes).as("bytes for 10,000 looks").anyMatch(each -> each < 10_000);
    }
}
