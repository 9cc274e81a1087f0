package io.scatterguard.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.scatterguard.proxy.session.CloseCause;
import io.scatterguard.proxy.session.Session;

/**
 * Recognises a client that speaks TLS to a listener that does not: read as a message, its ClientHello would be the beginning
 * of a long one that never comes. Looks at the first sixteen bytes as they pass, and then is gone.
 */
final class PlaintextGuard extends ChannelInboundHandlerAdapter {
    private static final int HEADER_BYTES = 16;
    private static final int HANDSHAKE_RECORD = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int MAJOR_VERSION = 3;
    /** Where the ClientHello names its version, after the record's header and its own type and length. */
    private static final int HELLO_VERSION = 9;

    private final Session session;
    private final TlsFailureLog log;
    private final byte[] seen = new byte[HEADER_BYTES];
    private int count;

    PlaintextGuard(Session session, TlsFailureLog log) {
        this.session = session;
        this.log = log;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf bytes = (ByteBuf) msg;
        int more = Math.min(bytes.readableBytes(), HEADER_BYTES - count);
        bytes.getBytes(bytes.readerIndex(), seen, count, more);
        count += more;
        if (isOther()) {
            ctx.pipeline().remove(this);
        } else if (count == HEADER_BYTES) {
            bytes.release();
            log.warn(CloseCause.TLS_ON_PLAINTEXT_PORT, ClientAddress.of(ctx.channel()), "a TLS ClientHello");
            session.close(CloseCause.TLS_ON_PLAINTEXT_PORT);
            return;
        }
        ctx.fireChannelRead(msg);
    }

    /**
     * Whether what came is no ClientHello. A message could agree with one in the bytes that are compared only if it were one
     * of 66,326 bytes or of a few such lengths, and its requestId and responseTo fitted too.
     */
    private boolean isOther() {
        return differs(0, HANDSHAKE_RECORD, HANDSHAKE_RECORD)
                || differs(1, MAJOR_VERSION, MAJOR_VERSION)
                || differs(2, 1, 4)
                || differs(5, CLIENT_HELLO, CLIENT_HELLO)
                || differs(HELLO_VERSION, MAJOR_VERSION, MAJOR_VERSION);
    }

    private boolean differs(int at, int low, int high) {
        return count > at && (seen[at] < low || seen[at] > high);
    }
}
