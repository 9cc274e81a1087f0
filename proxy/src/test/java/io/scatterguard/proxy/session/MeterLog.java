package io.scatterguard.proxy.session;

import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import java.util.ArrayList;
import java.util.List;

/** Notes what is measured, in order. */
final class MeterLog implements CommandMeter {
    /** A request that has ended; {@code command} is empty for one that was not judged. */
    record Ended(String command, long proxyNanos, long serverNanos, long requestBytes, long replyBytes) {}

    final List<Ended> ended = new ArrayList<>();

    @Override
    public Tally judged(CommandView command, Judgement judgement, ClientInfo client) {
        return tally(command.name() + " " + judgement.verdict().action().text());
    }

    @Override
    public Tally unjudged() {
        return tally("");
    }

    private Tally tally(String command) {
        return (shards, proxyNanos, serverNanos, requestBytes, replyBytes) ->
                ended.add(new Ended(command, proxyNanos, serverNanos, requestBytes, replyBytes));
    }
}
