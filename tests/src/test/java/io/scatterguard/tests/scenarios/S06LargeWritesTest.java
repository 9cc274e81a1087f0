package io.scatterguard.tests.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.PeakAllocator;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.ScriptedMongos;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A bulk write of 47 MB passes; a message above {@code maxMessageSizeBytes} closes the connection without an allocation of
 * its size. From teleport PR 21104 and #21286.
 */
@ExtendWith(BlockHoundExtension.class)
class S06LargeWritesTest {
    private static final int DOCUMENTS = 47;

    @Test
    void aBulkWriteOf47MegabytesPassesInOneMessage() {
        try (ProxyUnderTest proxy = ProxyUnderTest.inFrontOfTheShop();
                MongoClient client = proxy.driver()) {
            MongoCollection<Document> uploads = client.getDatabase("shop").getCollection("uploads");
            assertThat(uploads.countDocuments()).isZero();
            List<Document> documents = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                documents.add(new Document("_id", i).append("filler", new Binary(new byte[1_000_000])));
            }
            long before = proxy.runtime().counters().requests(OpCode.OP_MSG);
            assertThat(uploads.insertMany(documents).getInsertedIds()).hasSize(DOCUMENTS);
            assertThat(proxy.runtime().counters().requests(OpCode.OP_MSG) - before)
                    .as("messages: the write, and at most a few of the driver's monitor")
                    .isBetween(1L, 5L);
            assertThat(uploads.countDocuments()).isEqualTo(DOCUMENTS);
            uploads.drop();
        }
    }

    @Test
    void aMessageAboveTheLimitClosesTheConnectionWithoutAnAllocationOfItsSize() {
        PeakAllocator allocator = new PeakAllocator();
        try (ScriptedMongos mongos = ScriptedMongos.start();
                ProxyUnderTest proxy =
                        ProxyUnderTest.inFrontOf(mongos, RuntimeParts.standard().withAllocator(allocator));
                RawClient client = proxy.rawClient();
                RawClient other = proxy.rawClient()) {
            client.command(org.bson.BsonDocument.parse("{hello: 1, $db: 'admin'}"));
            allocator.resetPeak();
            ByteBuffer start = ByteBuffer.allocate(1_000).order(ByteOrder.LITTLE_ENDIAN);
            client.sendBytes(
                    start.putInt(48_000_001).putInt(1).putInt(0).putInt(2013).array());
            client.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.CLIENT_PROTOCOL_ERROR))
                    .isEqualTo(1);
            assertThat(allocator.peakBytes()).isLessThan(1_000_000);
            assertThat(other.adminCommand("ping").getNumber("ok").intValue()).isEqualTo(1);
        }
        assertThat(UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory()).isLessThan(1_000_000);
    }
}
