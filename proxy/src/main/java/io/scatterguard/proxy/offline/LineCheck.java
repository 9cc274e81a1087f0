package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.routing.RouterRelease;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonSerializationException;
import org.bson.json.JsonParseException;
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
        return line -> reading(() -> {
            Members members = new Members(parse(line));
            if (members.has("expectShards")) {
                return new VectorCheck(members).check(only);
            } else if (members.has("expect")) {
                return new CaseCheck(members).check(only);
            } else if (members.line().containsKey("hash") && members.line().containsKey("value")) {
                return HashCheck.check(members);
            }
            throw new LineFormatException(
                    "neither a vector (member \"expectShards\"), nor a case (\"expect\"), nor a hash (\"value\", \"hash\")");
        });
    }

    /** Checks commands as drivers send them, {@code {id, ns, command, shards?, counted?, error?}}, on one catalog. */
    static LineCheck commands(CatalogSnapshot catalog, RouterRelease release) {
        RecordedCheck check = new RecordedCheck(catalog, release);
        return line -> reading(() -> check.check(new Members(parse(line))));
    }

    private static BsonDocument parse(String line) {
        return BsonDocument.parse(line);
    }

    private static Outcome reading(Supplier<Outcome> check) {
        try {
            return check.get();
        } catch (JsonParseException | BsonInvalidOperationException | BsonSerializationException e) {
            throw new LineFormatException("not a document in Extended JSON: " + e.getMessage());
        } catch (MalformedBsonException | ProtocolException e) {
            throw new LineFormatException("the command: " + e.getMessage());
        }
    }
}
