package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;

/** Measures the commands of all sessions. Called on event loops: never blocks, never throws. */
public interface CommandMeter {
    /** The server time of a request that no server answered. */
    long NO_SERVER = -1;

    /** Measures nothing. */
    CommandMeter NONE = new CommandMeter() {
        private final Tally tally = (shards, proxyNanos, serverNanos, requestBytes, replyBytes) -> {};

        @Override
        public Tally judged(CommandView command, Judgement judgement, ClientInfo client) {
            return tally;
        }

        @Override
        public Tally unjudged() {
            return tally;
        }
    };

    /** Where {@code command}, which is borrowed, is to be counted once it has ended. Nothing of its bytes is kept. */
    Tally judged(CommandView command, Judgement judgement, ClientInfo client);

    /** Where a request is counted that was not judged: a handshake, an authentication, a legacy message, all in bypass. */
    Tally unjudged();

    /** Counts requests that are alike. */
    @FunctionalInterface
    interface Tally {
        /**
         * A request has ended: its reply has passed, or there will be none.
         *
         * @param shards how many shards it reaches by the prediction; 0 where that is not known, or none
         * @param proxyNanos from its receipt to its being forwarded or answered
         * @param serverNanos from its being forwarded to the end of the reply; {@link #NO_SERVER} if no server answered
         * @param requestBytes the request's {@code messageLength}
         * @param replyBytes the sum of the replies' {@code messageLength}
         */
        void ended(int shards, long proxyNanos, long serverNanos, long requestBytes, long replyBytes);
    }
}
