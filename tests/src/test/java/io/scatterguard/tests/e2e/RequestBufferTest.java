package io.scatterguard.tests.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.scatterguard.protocol.codec.RequestBudget;
import io.scatterguard.proxy.cli.RuntimeParts;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.tests.support.BlockHoundExtension;
import io.scatterguard.tests.support.OpMsgBuilder;
import io.scatterguard.tests.support.ProxyUnderTest;
import io.scatterguard.tests.support.RawClient;
import io.scatterguard.tests.support.SinkMongos;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What happens when there is no room for another large request. Two of these do not fit into the buffer. */
@ExtendWith(BlockHoundExtension.class)
class RequestBufferTest {
    private static final int REQUEST_ID = 7;
    private static final byte[] WRITE = OpMsgBuilder.of(
                    REQUEST_ID, BsonDocument.parse("{insert: 'uploads', $db: 'shop'}"))
            .sequence(
                    "documents",
                    Collections.nCopies(40, new BsonDocument("filler", new BsonBinary(new byte[1_000_000]))))
            .encode();

    @Test
    void oneThatFindsNoRoomWaitsForTheOther() {
        SinkMongos sink = ProxyUnderTest.sink();
        try (ProxyUnderTest proxy = proxy(sink, "");
                RawClient first = proxy.rawClient();
                RawClient second = proxy.rawClient()) {
            greet(first, second);
            sink.pauseReading();
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> first.sendBytes(WRITE));
            RequestBudget budget = proxy.runtime().requestBudget();
            sent.join();
            CompletableFuture<Void> sentToo = CompletableFuture.runAsync(() -> second.sendBytes(WRITE));
            Awaitility.await().until(() -> budget.waiting() == 1);
            assertThat(budget.reservedBytes()).isEqualTo(WRITE.length);
            sink.resumeReading();
            assertThat(first.receive().responseTo()).isEqualTo(REQUEST_ID);
            assertThat(second.receive().responseTo()).isEqualTo(REQUEST_ID);
            sentToo.join();
            Awaitility.await().until(() -> budget.reservedBytes() == 0);
        }
    }

    @Test
    void oneThatFindsNoRoomInTimeIsClosedAndTheOtherIsNot() {
        SinkMongos sink = ProxyUnderTest.sink();
        try (ProxyUnderTest proxy = proxy(sink, ", requestBufferTimeout: 500ms");
                RawClient first = proxy.rawClient();
                RawClient second = proxy.rawClient()) {
            greet(first, second);
            sink.pauseReading();
            first.sendBytes(WRITE);
            second.sendBytes(Arrays.copyOf(WRITE, 1_000));
            second.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.REQUEST_BUFFER_TIMEOUT))
                    .isEqualTo(1);
            sink.resumeReading();
            assertThat(first.receive().responseTo()).isEqualTo(REQUEST_ID);
        }
    }

    @Test
    void oneThatHasRoomAndDoesNotComeIsClosedSoThatTheOtherGetsIt() {
        SinkMongos sink = ProxyUnderTest.sink();
        try (ProxyUnderTest proxy = proxy(sink, ", requestStallTimeout: 500ms, requestBufferTimeout: 5m");
                RawClient stalling = proxy.rawClient();
                RawClient second = proxy.rawClient()) {
            greet(stalling, second);
            stalling.sendBytes(Arrays.copyOf(WRITE, 100_000));
            Awaitility.await()
                    .until(() -> proxy.runtime().requestBudget().reservedBytes() == WRITE.length
                            || proxy.runtime().counters().closes(CloseCause.REQUEST_STALLED) > 0);
            second.sendBytes(WRITE);
            stalling.expectClosed();
            assertThat(second.receive().responseTo()).isEqualTo(REQUEST_ID);
            assertThat(proxy.runtime().counters().closes(CloseCause.REQUEST_STALLED))
                    .isEqualTo(1);
        }
    }

    @Test
    void oneThatCameWholeAndIsNotTakenByTheServerIsClosedSoThatTheOtherGetsItsRoom() {
        SinkMongos sink = ProxyUnderTest.sink();
        try (ProxyUnderTest proxy = proxy(sink, ", requestStallTimeout: 500ms, requestBufferTimeout: 5m");
                RawClient stuck = proxy.rawClient();
                RawClient second = proxy.rawClient()) {
            greet(stuck, second);
            sink.pauseReading();
            stuck.sendBytes(WRITE);
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> second.sendBytes(WRITE));
            stuck.expectClosed();
            assertThat(proxy.runtime().counters().closes(CloseCause.REQUEST_STALLED))
                    .isEqualTo(1);
            sink.resumeReading();
            assertThat(second.receive().responseTo()).isEqualTo(REQUEST_ID);
            sent.join();
        }
    }

    @Test
    void whoLeavesWithRoomOrWithoutGivesItBack() {
        SinkMongos sink = ProxyUnderTest.sink();
        try (ProxyUnderTest proxy = proxy(sink, "");
                RawClient first = proxy.rawClient();
                RawClient second = proxy.rawClient();
                RawClient third = proxy.rawClient()) {
            greet(first, second, third);
            RequestBudget budget = proxy.runtime().requestBudget();
            first.sendBytes(Arrays.copyOf(WRITE, 1_000_000));
            Awaitility.await().until(() -> budget.reservedBytes() == WRITE.length);
            second.sendBytes(Arrays.copyOf(WRITE, 1_000));
            Awaitility.await().until(() -> budget.waiting() == 1);
            second.hangUp();
            Awaitility.await().until(() -> budget.waiting() == 0);
            first.reset();
            Awaitility.await().until(() -> budget.reservedBytes() == 0);
            third.sendBytes(WRITE);
            assertThat(third.receive().responseTo()).isEqualTo(REQUEST_ID);
        }
    }

    private static ProxyUnderTest proxy(SinkMongos sink, String limits) {
        return ProxyUnderTest.inFrontOf(sink, RuntimeParts.standard(), ", requestBuffer: 64MiB" + limits, "");
    }

    private static void greet(RawClient... clients) {
        for (RawClient client : clients) {
            client.adminCommand("ping");
        }
    }
}
