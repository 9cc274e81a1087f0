package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ExtendedJson;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Checks one line of a file: a document in Extended JSON, compared with what it expects itself. */
@FunctionalInterface
public interface LineCheck {
    /**
     * The outcome of {@code line}.
     *
     * @throws LineFormatException if the line cannot be read
     */
    Outcome check(String line);

    /**
     * Checks lines that describe everything themselves, each told by its members: a targeting vector ({@code expectShards}),
     * a case ({@code expect}), or the hash of a value ({@code hash}).
     *
     * @param only leaves out lines that do not hold for this release; null checks each for representatives of its own
     */
    static LineCheck vectors(@Nullable RouterRelease only) {
        return line -> reading(line, members -> {
            if (members.has("expectShards")) {
                KnownMembers.OF_VECTORS.check(members);
                return new VectorCheck(members).check(only);
            } else if (members.has("expect")) {
                KnownMembers.OF_CASES.check(members);
                return new CaseCheck(members).check(only);
            } else if (members.line().containsKey("hash") && members.line().containsKey("value")) {
                KnownMembers.OF_HASHES.check(members);
                return HashCheck.check(members);
            }
            throw new LineFormatException(
                    "neither a vector (member \"expectShards\"), nor a case (\"expect\"), nor a hash (\"value\", \"hash\")");
        });
    }

    /** Checks commands as drivers send them, {@code {id, ns, command, shards?, counted?, error?}}, on one catalog. */
    static LineCheck commands(CatalogSnapshot catalog, RouterRelease release) {
        RecordedCheck check = new RecordedCheck(catalog, release);
        return line -> reading(line, members -> {
            KnownMembers.OF_COMMANDS.check(members);
            return check.check(members);
        });
    }

    private static Outcome reading(String line, Function<Members, Outcome> check) {
        BsonDocument document;
        try {
            document = ExtendedJson.document(line);
        } catch (IllegalArgumentException e) {
            throw new LineFormatException(String.valueOf(e.getMessage()));
        }
        try {
            return check.apply(new Members(document));
        } catch (LineFormatException e) {
            throw e.of(id(document));
        } catch (MalformedBsonException | ProtocolException e) {
            throw new LineFormatException("the command: " + e.getMessage()).of(id(document));
        } catch (RuntimeException | StackOverflowError e) {
            // Of one line among many; the others are to be checked all the same.
            String reason = e.getMessage() == null ? "" : ": " + e.getMessage();
            throw new LineFormatException("cannot be checked: " + e.getClass().getSimpleName() + reason)
                    .of(id(document));
        }
    }

    private static @Nullable String id(BsonDocument line) {
        BsonValue id = line.get("id");
        return id != null && id.isString() ? id.asString().getValue() : null;
    }
}
