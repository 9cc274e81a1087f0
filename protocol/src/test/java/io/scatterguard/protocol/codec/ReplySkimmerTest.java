package io.scatterguard.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonDbPointer;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplySkimmerTest {
    /** Every type of value, in the body and in a document of the batch. */
    private static final String EVERY_TYPE = "{a: 'text', b: {c: [1, {d: 2}]}, e: [], f: {$binary: {base64: 'AAEC', "
            + "subType: '00'}}, g: {$oid: '0123456789abcdef01234567'}, h: true, i: {$date: 1}, j: null, "
            + "k: {$regularExpression: {pattern: 'ab', options: 'im'}}, m: {$code: 'f'}, o: {$symbol: 's'}, p: {$code: 'f', $scope: {q: 1}}, r: 5, "
            + "s: {$timestamp: {t: 1, i: 2}}, t: {$numberLong: '7'}, u: {$numberDecimal: '1'}, v: {$minKey: 1}, "
            + "w: {$maxKey: 1}, x: {$undefined: true}, y: 1.5, z: {$regularExpression: {pattern: '', options: ''}}}";

    private final ReplySkimmer skimmer = new ReplySkimmer();

    @Test
    void readsTheOutcomeOfACursorWhereverTheReplyIsSplit() {
        BsonDocument each = everyType();
        BsonDocument reply = new BsonDocument();
        reply.put(
                "cursor",
                new BsonDocument("firstBatch", new BsonArray(List.of(each, each, each)))
                        .append("id", new BsonInt64(1L << 40))
                        .append("ns", each.get("a")));
        reply.putAll(each);
        reply.append("ok", new BsonDouble(1));
        for (ByteBuf bytes : framed(reply)) {
            for (int split = 1; split < bytes.readableBytes(); split++) {
                SkimmedReply skimmed = skim(bytes, split, bytes.readableBytes());
                assertThat(skimmed.ok()).as("split at %s", split).isTrue();
                assertThat(skimmed.cursorId()).isEqualTo(1L << 40);
                assertThat(skimmed.batchSize()).isEqualTo(3);
                assertThat(skimmed.code()).isNull();
                assertThat(skimmed.n()).isNull();
            }
            assertThat(skim(bytes, 1, 1).batchSize()).isEqualTo(3);
        }
    }

    @Test
    void readsNumbersOfEveryTypeAndNothingElse() {
        assertThat(all("{ok: 1}")).isEqualTo("true null null null null");
        assertThat(all("{ok: {$numberLong: '1'}, n: {$numberLong: '7'}}")).isEqualTo("true null 7 null null");
        assertThat(all("{ok: true, n: 7.0}")).isEqualTo("true null 7 null null");
        assertThat(all("{ok: false, code: 43.0}")).isEqualTo("false 43 null null null");
        assertThat(all("{ok: 0.0, code: 61001, n: -1}")).isEqualTo("false 61001 -1 null null");
        assertThat(all("{ok: 1.5}")).isEqualTo("false null null null null");
        assertThat(all("{n: {$numberLong: '9000000000'}}")).isEqualTo("null null 2147483647 null null");
        assertThat(all("{ok: '1', n: '7', code: null, cursor: [1]}")).isEqualTo("null null null null null");
        assertThat(all("{cursor: {id: 5, nextBatch: []}, ok: 1}")).isEqualTo("true null null 5 0");
        assertThat(all("{cursor: {id: {$numberLong: '-1'}, nextBatch: {}}}")).isEqualTo("null null null -1 null");
        assertThat(all("{a: {ok: 1, cursor: {id: 1}}, okay: 1, o: 1, okokokokokokokok: 1}"))
                .isEqualTo("null null null null null");
        assertThat(all("{}")).isEqualTo("null null null null null");
    }

    /** And a document of that name anywhere else, or an array, is stepped over. */
    @Test
    void readsTheCodeOfAWriteConcernError() {
        for (String json : List.of(
                "{n: 1, writeConcernError: {code: 91, errmsg: 'x', errInfo: {code: 7}}, ok: 1}",
                "{writeConcernError: {errInfo: {writeConcern: {w: 2}}, code: {$numberLong: '91'}}, n: 1.0, ok: true}",
                "{n: 1, cursor: {id: 5, writeConcernError: {code: 8}}, writeConcernError: {id: 6, firstBatch: [1], code: 91}, ok: 1}")) {
            for (ByteBuf bytes : framed(BsonDocument.parse(json))) {
                for (int split = 1; split < bytes.readableBytes(); split++) {
                    SkimmedReply skimmed = skim(bytes, split, bytes.readableBytes());
                    assertThat(skimmed.writeConcernCode()).as(json).isEqualTo(91);
                    assertThat(skimmed.code()).as(json).isNull();
                    assertThat(skimmed.n()).as(json).isOne();
                    assertThat(skimmed.batchSize()).as(json).isNull();
                }
            }
        }
        for (String json : List.of(
                "{writeConcernError: [{code: 91}], ok: 1}",
                "{cursor: {writeConcernError: {code: 91}}, ok: 1}",
                "{a: {writeConcernError: {code: 91}}, ok: 1}",
                "{writeConcernError: {code: '91'}, ok: 1}")) {
            for (ByteBuf bytes : framed(BsonDocument.parse(json))) {
                SkimmedReply skimmed = skim(bytes, 1, bytes.readableBytes());
                assertThat(skimmed.writeConcernCode()).as(json).isNull();
                assertThat(skimmed.ok()).as(json).isTrue();
            }
        }
    }

    @Test
    void readsTheServersHashOfAShapeWhereverTheReplyIsSplit() {
        String hash = "0123456789ABCDEF".repeat(4);
        BsonDocument reply = BsonDocument.parse(
                "{explainVersion: '1', queryPlanner: {queryShapeHash: 'x'}, queryShapeHash: '" + hash + "', ok: 1.0}");
        for (ByteBuf bytes : framed(reply)) {
            for (int split = 1; split < bytes.readableBytes(); split++) {
                SkimmedReply skimmed = skim(bytes, split, bytes.readableBytes());
                assertThat(skimmed.queryShapeHash()).as("split at %s", split).isEqualTo(hash);
                assertThat(skimmed.ok()).isTrue();
            }
            assertThat(skim(bytes, 1, 1).queryShapeHash()).isEqualTo(hash);
        }
    }

    /** What is no hash may be a value of somebody's document. */
    @Test
    void takesNothingElseForTheServersHash() {
        String hash = "0123456789ABCDEF".repeat(4);
        for (String other : List.of(
                "{queryShapeHash: '" + hash.replace('0', 'x') + "', ok: 1.0}",
                "{queryShapeHash: '" + hash + "0', ok: 1.0}",
                "{queryShapeHash: '" + hash.substring(1) + "', ok: 1.0}",
                "{queryShapeHash: '', ok: 1.0}",
                "{queryShapeHash: 5, ok: 1.0}",
                "{queryShapeHashes: '" + hash + "', ok: 1.0}",
                "{cursor: {queryShapeHash: '" + hash + "', firstBatch: [{queryShapeHash: '" + hash + "'}]}, ok: 1.0}",
                "{value: {queryShapeHash: '" + hash + "'}, ok: 1.0}")) {
            for (ByteBuf bytes : framed(BsonDocument.parse(other))) {
                SkimmedReply skimmed = skim(bytes, bytes.readableBytes(), 1);
                assertThat(skimmed.queryShapeHash()).as(other).isNull();
                assertThat(skimmed.ok()).as(other).isTrue();
            }
        }
    }

    @Test
    void stepsOverSequencesBeforeAndAfterTheBodyAndAChecksum() {
        byte[] body = Frames.section("{ok: 1, n: 3}");
        byte[] sequence = Frames.sequence("x", "{ok: 0}", "{n: 9}");
        for (int flagBits : new int[] {0, OpMsg.CHECKSUM_PRESENT, OpMsg.MORE_TO_COME}) {
            for (byte[][] sections : new byte[][][] {{sequence, body}, {body, sequence}, {sequence, body, sequence}}) {
                ByteBuf bytes = Frames.opMsg(1, flagBits, sections);
                assertThat(text(skim(bytes, 1, 1))).isEqualTo("true null 3 null null");
                assertThat(text(skim(bytes, 7, 1000))).isEqualTo("true null 3 null null");
            }
        }
        assertThat(text(skim(Frames.opMsg(1, 0, body, body), 30, 30))).isEqualTo("null null null null null");
    }

    @Test
    void oneSkimmerReadsReplyAfterReplyWhateverTheOneBeforeWas() {
        for (int i = 0; i < 3; i++) {
            assertThat(all("{ok: 0, code: 1, n: 1, cursor: {id: 1, firstBatch: [1]}}"))
                    .isEqualTo("false 1 1 1 1");
            assertThat(all("{x: 1}")).isEqualTo("null null null null null");
            ByteBuf bytes = framed(BsonDocument.parse("{ok: 1}")).get(0);
            skimmer.begin(MessageHeader.read(bytes, 0), 0);
            skimmer.add(bytes.slice(0, 24));
            assertThat(text(skimmer.reply())).isEqualTo("null null null null null");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithTheLibraryOnRandomDocumentsSplitAnywhere(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            BsonDocument reply = document(random, 0);
            for (ByteBuf bytes : framed(reply)) {
                SkimmedReply skimmed = skim(bytes, 1 + random.nextInt(bytes.readableBytes()), 1 + random.nextInt(40));
                assertThat(text(skimmed)).as(reply.toJson()).isEqualTo(expected(reply));
            }
        }
    }

    /** Damage anywhere never throws, never loops, and never reads beyond the message. */
    @Test
    void damageIsNeverAnError() {
        Random random = new Random(1);
        BsonDocument each = everyType();
        BsonDocument reply = BsonDocument.parse("{cursor: {id: 1, firstBatch: []}, ok: 1}");
        reply.getDocument("cursor").put("firstBatch", new BsonArray(List.of(each, each)));
        reply.putAll(each);
        for (ByteBuf whole : framed(reply)) {
            for (int at = 16; at < whole.readableBytes(); at++) {
                for (int value : new int[] {0, 1, 2, 0x7f, 0x80, 0xff, random.nextInt(256)}) {
                    ByteBuf damaged = whole.copy().setByte(at, value);
                    String bytewise = text(skim(damaged, 1, 1));
                    assertThat(bytewise).isEqualTo(text(skim(damaged, damaged.readableBytes(), 1)));
                }
                for (int value : new int[] {-1, 0, 4, 5, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                    ByteBuf damaged = whole.copy();
                    damaged.setIntLE(Math.min(at, damaged.readableBytes() - 4), value);
                    assertThat(text(skim(damaged, 1, 1))).isEqualTo(text(skim(damaged, damaged.readableBytes(), 1)));
                }
            }
            for (int cut = 0; cut < whole.readableBytes(); cut++) {
                ByteBuf shorter = whole.copy(0, cut);
                if (cut >= 16) {
                    shorter.setIntLE(0, cut);
                    assertThat(text(skim(shorter, 1, 1))).isEqualTo("null null null null null");
                }
            }
        }
    }

    @Test
    void aBodyThatDoesNotFillItsSectionOrItsReplyIsNotBelieved() {
        for (ByteBuf bytes : framed(BsonDocument.parse("{ok: 1}"))) {
            ByteBuf longer = bytes.copy().writeByte(7);
            longer.setIntLE(0, longer.readableBytes());
            assertThat(text(skim(longer, 1, 1))).isEqualTo("null null null null null");
        }
    }

    @Test
    void otherOpcodesAreNotLookedAt() {
        ByteBuf bytes = framed(BsonDocument.parse("{ok: 1}")).get(0);
        for (OpCode opCode : new OpCode[] {OpCode.OP_COMPRESSED, OpCode.OP_QUERY, OpCode.UNKNOWN}) {
            bytes.setIntLE(12, opCode.value());
            assertThat(text(skim(bytes, 1, 1))).isEqualTo("null null null null null");
        }
    }

    private static BsonDocument everyType() {
        BsonDocument document = BsonDocument.parse(EVERY_TYPE);
        return document.append("l", new BsonDbPointer("x", new ObjectId("0123456789abcdef01234567")));
    }

    private String all(String json) {
        List<String> texts = new ArrayList<>();
        for (ByteBuf bytes : framed(BsonDocument.parse(json))) {
            texts.add(text(skim(bytes, 1, 1)));
            texts.add(text(skim(bytes, bytes.readableBytes(), 1)));
        }
        assertThat(texts).containsOnly(texts.get(0));
        return texts.get(0);
    }

    private static String text(SkimmedReply reply) {
        return reply.ok() + " " + reply.code() + " " + reply.n() + " " + reply.cursorId() + " " + reply.batchSize();
    }

    /** Adds the first {@code first} bytes, then parts of {@code then} bytes each. */
    private SkimmedReply skim(ByteBuf bytes, int first, int then) {
        MessageHeader header = MessageHeader.read(bytes, 0);
        boolean flagged = header.opCode() == OpCode.OP_MSG && bytes.readableBytes() >= 20;
        skimmer.begin(header, flagged ? bytes.getIntLE(16) : 0);
        int at = 0;
        int size = first;
        while (at < bytes.readableBytes()) {
            int count = Math.min(size, bytes.readableBytes() - at);
            ByteBuf part = bytes.slice(at, count);
            skimmer.add(part);
            if (part.readableBytes() != count) {
                throw new AssertionError("the part was consumed, not borrowed");
            }
            at += count;
            size = then;
        }
        return skimmer.reply();
    }

    /** As an OP_MSG and as an OP_REPLY. */
    private static List<ByteBuf> framed(BsonDocument reply) {
        byte[] document = BsonView.encode(reply).toByteArray();
        ByteBuf msg = Unpooled.buffer().writeIntLE(0).writeByte(0).writeBytes(document);
        ByteBuf legacy =
                Unpooled.buffer().writeIntLE(8).writeLongLE(0).writeIntLE(0).writeIntLE(1);
        return List.of(
                Frames.message(7, 3, OpCode.OP_MSG.value(), msg),
                Frames.message(7, 3, OpCode.OP_REPLY.value(), legacy.writeBytes(document)));
    }

    private static BsonDocument document(Random random, int depth) {
        String[] names = {"ok", "code", "n", "cursor", "id", "firstBatch", "nextBatch", "", "errmsg", "a.b"};
        List<BsonValue> leaves = new ArrayList<>(everyType().values());
        BsonDocument document = new BsonDocument();
        for (int i = random.nextInt(8); i > 0; i--) {
            document.put(names[random.nextInt(names.length)], value(random, depth, leaves));
        }
        return document;
    }

    private static BsonValue value(Random random, int depth, List<BsonValue> leaves) {
        int kind = random.nextInt(depth < 3 ? 6 : 4);
        if (kind == 4) {
            return document(random, depth + 1);
        }
        if (kind == 5) {
            BsonArray array = new BsonArray();
            for (int i = random.nextInt(15); i > 0; i--) {
                array.add(value(random, depth + 1, leaves));
            }
            return array;
        }
        return switch (kind) {
            case 0 -> new BsonInt32(random.nextInt(3));
            case 1 -> new BsonInt64(random.nextInt(3));
            case 2 -> new BsonDouble(random.nextInt(3));
            default -> leaves.get(random.nextInt(leaves.size()));
        };
    }

    /** By the library's own decoding. */
    private static String expected(BsonDocument reply) {
        BsonValue ok = reply.get("ok");
        Boolean isOk = number(ok) != null ? (Boolean) (Objects.requireNonNull(number(ok)) == 1) : null;
        if (ok != null && ok.isBoolean()) {
            isOk = ok.asBoolean().getValue();
        }
        BsonDocument cursor = reply.isDocument("cursor") ? reply.getDocument("cursor") : new BsonDocument();
        // Of both batches the one that comes last counts; a server sends one.
        Integer batch = null;
        for (String name : cursor.keySet()) {
            boolean named = name.equals("firstBatch") || name.equals("nextBatch");
            batch = named && cursor.isArray(name)
                    ? (Integer) cursor.getArray(name).size()
                    : batch;
        }
        return isOk + " " + integer(reply.get("code")) + " " + integer(reply.get("n")) + " " + integer(cursor.get("id"))
                + " " + batch;
    }

    private static @Nullable Integer integer(@Nullable BsonValue value) {
        Double number = number(value);
        return number == null ? null : (Integer) number.intValue();
    }

    private static @Nullable Double number(@Nullable BsonValue value) {
        return value != null && value.isNumber() && !value.isDecimal128()
                ? (Double) value.asNumber().doubleValue()
                : null;
    }
}
