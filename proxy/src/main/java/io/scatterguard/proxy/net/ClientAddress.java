package io.scatterguard.proxy.net;

import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Where a client is: its own address, which is not always the one its connection comes from. */
final class ClientAddress {
    /** Set where something in front of the proxy said who the client is. */
    static final AttributeKey<InetSocketAddress> KEY = AttributeKey.valueOf("scatterguard.clientAddress");

    /** Which address the client connected to, where that was said. */
    static final AttributeKey<InetSocketAddress> DESTINATION = AttributeKey.valueOf("scatterguard.clientDestination");

    private ClientAddress() {}

    /** The client's address; null if the connection is gone already. */
    static @Nullable InetSocketAddress of(Channel channel) {
        InetSocketAddress told = channel.attr(KEY).get();
        return told == null && channel.remoteAddress() instanceof InetSocketAddress remote ? remote : told;
    }

    /** The address the client connected to; null if the connection is gone already. */
    static @Nullable InetSocketAddress destinationOf(SocketChannel channel) {
        InetSocketAddress told = channel.attr(DESTINATION).get();
        return told != null ? told : channel.localAddress();
    }
}
