package io.scatterguard.protocol.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.codec.MongosHello.Verdict;
import io.scatterguard.protocol.wire.Frames;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.ProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongosHelloTest {
    /** Every field that a member of a set returns, in the server's order; a client's credentials among them. */
    private static final String MEMBER = """
            {helloOk: true, topologyVersion: {processId: {$oid: '65f000000000000000000001'}, counter: {$numberLong: '6'}},
             hosts: ['a:1', 'b:2'], passives: ['c:3'], arbiters: ['d:4'], setName: 'rs0', setVersion: 3,
             %s: true, secondary: false, primary: 'a:1', tags: {dc: 'east'}, me: 'a:1',
             electionId: {$oid: '7fffffff0000000000000002'}, lastWrite: {majorityWriteDate: 5}, hidden: true, passive: false,
             maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000,
             localTime: {$date: 5}, logicalSessionTimeoutMinutes: 30, connectionId: 12, minWireVersion: 0, maxWireVersion: 21,
             readOnly: false, compression: ['zlib'], saslSupportedMechs: ['SCRAM-SHA-256'],
             speculativeAuthenticate: {conversationId: 1, done: false, payload: 'r=hosts', me: 'x'}, unknownOfTheFuture: 1, ok: 1.0,
             $clusterTime: {clusterTime: {$timestamp: {t: 1, i: 2}}}, operationTime: {$timestamp: {t: 1, i: 2}}}""";

    private static final String MONGOS = """
            {helloOk: true, topologyVersion: {processId: {$oid: '65f000000000000000000001'}, counter: {$numberLong: '6'}},
             %s: true, msg: 'isdbgrid', maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000,
             localTime: {$date: 5}, logicalSessionTimeoutMinutes: 30, connectionId: 12, minWireVersion: 0, maxWireVersion: 21,
             compression: ['zlib'], saslSupportedMechs: ['SCRAM-SHA-256'],
             speculativeAuthenticate: {conversationId: 1, done: false, payload: 'r=hosts', me: 'x'}, ok: 1.0,
             $clusterTime: {clusterTime: {$timestamp: {t: 1, i: 2}}}, operationTime: {$timestamp: {t: 1, i: 2}}}""";

    /** As a mongos would have sent the frame: every byte, with the lengths and the checksum right. */
    @ParameterizedTest
    @ValueSource(strings = {"isWritablePrimary", "ismaster"})
    void keepsWhatAMongosReturnsInTheMembersOrder(String spelling) {
        int[] flags = {0, OpMsg.MORE_TO_COME, OpMsg.CHECKSUM_PRESENT, OpMsg.CHECKSUM_PRESENT | OpMsg.MORE_TO_COME};
        for (int flagBits : flags) {
            ByteBuf member = reply(flagBits, MEMBER.formatted(spelling));
            assertThat(rewritten(member))
                    .as("flag bits " + flagBits)
                    .isEqualTo(ByteBufUtil.hexDump(reply(flagBits, MONGOS.formatted(spelling))));
        }
    }

    @Test
    void worksInAnOpReply() {
        assertThat(rewritten(opReply(MEMBER.formatted("ismaster"))))
                .isEqualTo(ByteBufUtil.hexDump(opReply(MONGOS.formatted("ismaster"))));
    }

    /** The values are the server's own, also where they are not those of any release. */
    @Test
    void inventsNothing() {
        ByteBuf member =
                Frames.reply(9, 5, 0, "{ismaster: true, maxWireVersion: -3, hosts: ['a:1'], ok: {$numberLong: '1'}}");
        assertThat(rewritten(member))
                .isEqualTo(ByteBufUtil.hexDump(Frames.reply(
                        9, 5, 0, "{ismaster: true, msg: 'isdbgrid', maxWireVersion: -3, ok: {$numberLong: '1'}}")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{isWritablePrimary: true, ok: 1}; WRITABLE",
                "{ismaster: true, ok: true}; WRITABLE",
                "{isWritablePrimary: false, secondary: true, ok: 1.0}; NOT_WRITABLE",
                "{ismaster: false, ok: 1.0}; NOT_WRITABLE",
                "{ismaster: 1, ok: 1.0}; NOT_WRITABLE",
                "{ok: 1.0}; NOT_WRITABLE",
                "{ok: 0.0, code: 91, errmsg: 'in quiesce mode'}; ERROR",
                "{isWritablePrimary: true, ok: 0.0}; ERROR",
                "{isWritablePrimary: true}; ERROR"
            })
    void tellsAPrimaryFromWhatIsNone(String reply, Verdict verdict) {
        assertThat(MongosHello.read(Frames.reply(9, 5, 0, reply)).verdict()).isEqualTo(verdict);
    }

    /** Cut off at every length, and with every byte of a length changed: an error, never a wrong reply or a read beyond. */
    @Test
    void whatIsDamagedIsAnError() {
        byte[] whole = ByteBufUtil.getBytes(Frames.reply(9, 5, 0, "{ismaster: true, hosts: ['a:1'], ok: 1}"));
        for (int length = 16; length < whole.length; length++) {
            ByteBuf cut = Unpooled.copiedBuffer(whole, 0, length).setIntLE(0, length);
            assertThatThrownBy(() -> MongosHello.read(cut)).isInstanceOf(ProtocolException.class);
        }
        for (int wrong : new int[] {0, 4, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, whole.length}) {
            ByteBuf damaged = Unpooled.copiedBuffer(whole);
            damaged.setIntLE(21, wrong);
            assertThatThrownBy(() -> MongosHello.read(damaged)).isInstanceOf(ProtocolException.class);
        }
    }

    /** Whatever a byte becomes: it is refused, or what is made of it is a whole message. */
    @Test
    void noByteCanBreakIt() {
        byte[] whole = ByteBufUtil.getBytes(reply(0, MEMBER.formatted("ismaster")));
        int rewritten = 0;
        for (int at = 16; at < whole.length; at++) {
            for (int value : new int[] {0, 1, 2, 3, 4, 8, 0x10, 0x7f, 0x80, 0xff, whole[at] + 1, whole[at] - 1}) {
                ByteBuf changed = Unpooled.copiedBuffer(whole).setByte(at, value);
                try {
                    ByteBuf mongos = MongosHello.read(changed).asMongos(UnpooledByteBufAllocator.DEFAULT);
                    assertThat(mongos.getIntLE(0)).isEqualTo(mongos.readableBytes());
                    mongos.release();
                    rewritten++;
                } catch (ProtocolException e) {
                    assertThat(e).hasMessageStartingWith("reply to hello: ");
                }
            }
        }
        assertThat(rewritten).isPositive();
    }

    @Test
    void aSecondSectionOrAnotherOpcodeIsAnError() {
        ByteBuf two = Frames.opMsg(9, 0, Frames.section("{ismaster: true, ok: 1}"), Frames.sequence("hosts", "{a: 1}"));
        assertThatThrownBy(() -> MongosHello.read(two))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("expected: one document");
        ByteBuf query = Frames.opQuery(9, "admin.$cmd", "{ismaster: true, ok: 1}");
        assertThatThrownBy(() -> MongosHello.read(query))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("OP_QUERY");
    }

    private static ByteBuf reply(int flagBits, String body) {
        ByteBuf content = Unpooled.buffer().writeIntLE(flagBits).writeBytes(Frames.section(body));
        boolean checksum = (flagBits & OpMsg.CHECKSUM_PRESENT) != 0;
        ByteBuf message = Frames.message(9, 5, OpCode.OP_MSG.value(), checksum ? content.writeIntLE(0) : content);
        return checksum ? Frames.checksummed(message) : message;
    }

    private static ByteBuf opReply(String document) {
        ByteBuf content =
                Unpooled.buffer().writeIntLE(8).writeLongLE(0).writeIntLE(0).writeIntLE(1);
        return Frames.message(9, 5, OpCode.OP_REPLY.value(), content.writeBytes(Frames.document(document)));
    }

    private static String rewritten(ByteBuf member) {
        String before = ByteBufUtil.hexDump(member);
        ByteBuf mongos = MongosHello.read(member).asMongos(UnpooledByteBufAllocator.DEFAULT);
        try {
            assertThat(ByteBufUtil.hexDump(member)).isEqualTo(before);
            return ByteBufUtil.hexDump(mongos);
        } finally {
            mongos.release();
        }
    }
}
