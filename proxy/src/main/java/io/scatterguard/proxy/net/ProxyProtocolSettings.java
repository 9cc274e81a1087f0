package io.scatterguard.proxy.net;

import org.jspecify.annotations.Nullable;

/**
 * The PROXY protocol on both sides of a listener.
 *
 * @param accepted whose headers are believed; null where no header may come
 * @param sent what connections to servers begin with
 */
public record ProxyProtocolSettings(@Nullable ProxyHeaders accepted, ServerPreface sent) {
    public static final ProxyProtocolSettings OFF = new ProxyProtocolSettings(null, ServerPreface.NONE);
}
