package io.scatterguard.proxy.policy;

import io.scatterguard.protocol.bson.BsonValueView;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.Namespace;
import io.scatterguard.proxy.config.ExemptionConfig;
import io.scatterguard.proxy.config.PolicyConfig.CommentExemptions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The registered exemptions, ready for matching. */
final class Exemptions {
    /**
     * One exemption.
     *
     * @param match null for one that applies only where a comment names it
     */
    private record Entry(String id, @Nullable Selector match, Expiry expiry) {
        boolean isOver(Instant now) {
            return expiry.isOver(now);
        }
    }

    private final List<Entry> matching;
    private final Map<String, Entry> byId;
    private final CommentExemptions comments;
    private final boolean searchesComments;

    Exemptions(List<ExemptionConfig> configs, CommentExemptions comments) {
        List<Entry> entries = configs.stream().map(Exemptions::entry).toList();
        this.matching = entries.stream().filter(e -> e.match() != null).toList();
        this.byId = new HashMap<>();
        entries.forEach(e -> byId.put(e.id(), e));
        this.comments = comments;
        this.searchesComments = switch (comments) {
            case REGISTERED -> matching.size() < entries.size();
            case ANY -> true;
            case OFF -> false;
        };
    }

    private static Entry entry(ExemptionConfig config) {
        Selector match = config.match() == null ? null : new Selector(config.match());
        return new Entry(config.id(), match, Expiry.after(config.until()));
    }

    /** Whether any asks for the words of comments. */
    boolean looksAtComments() {
        return matching.stream().map(Entry::match).anyMatch(match -> match != null && match.looksAtComments());
    }

    /** The id of the exemption that lets {@code command} (borrowed) pass; null if none does. */
    @Nullable String find(CommandView command, Namespace namespace, ClientInfo client, Instant now, @Nullable CloserLook look) {
        for (int i = 0; i < matching.size(); i++) {
            Entry entry = matching.get(i);
            Selector match = entry.match();
            if (match != null
                    && !entry.isOver(now)
                    && match.matches(command.commandName(), namespace, client, now, look)) {
                return entry.id();
            }
        }
        if (!searchesComments) {
            return null;
        }
        BsonValueView comment = command.get("comment");
        return comment == null ? null : CommentExemption.find(comment, id -> acceptsComment(id, now));
    }

    /**
     * Whether a comment may name {@code id}. An exemption with a match is bound to what it matches, and one that is over
     * is over, in whichever mode.
     */
    private boolean acceptsComment(String id, Instant now) {
        Entry entry = byId.get(id);
        if (entry == null) {
            return comments == CommentExemptions.ANY;
        }
        return entry.match() == null && !entry.isOver(now);
    }
}
