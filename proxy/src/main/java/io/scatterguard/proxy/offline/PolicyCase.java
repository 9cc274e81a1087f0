package io.scatterguard.proxy.offline;

import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.audit.QueryShape;
import io.scatterguard.proxy.audit.QueryShapes;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.routing.KeyRouter;
import io.scatterguard.proxy.routing.Note;
import io.scatterguard.proxy.routing.Notes;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.RouterRelease;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonString;

/**
 * One command that a policy is tried on: a command of a file, or what an audit record kept of one.
 *
 * @param command as it was, or as far as the record tells
 * @param notes the notes on it
 * @param shape its query shape
 * @param at when it came
 */
public record PolicyCase(
        CommandView command, Route route, List<Note> notes, QueryShape shape, ClientInfo client, Instant at) {
    /** Whom a command of a file comes from: nobody in particular. */
    private static final ClientInfo SOMEBODY = ClientInfo.of("unknown");

    /** A catalog and the release of the router, for commands of files. */
    public record Basis(CatalogSnapshot catalog, RouterRelease release) {}

    public PolicyCase {
        notes = List.copyOf(notes);
    }

    /**
     * The case in one line: the record of a command that was routed, or a command ({@code id, ns, command}).
     *
     * @param line of neither of the other kinds, which tell too little to be judged
     * @param basis asked for with the first command, never for records
     * @param now when commands of a file are taken to come
     * @throws LineFormatException if the line is neither, or anything in it is wrong
     */
    public static PolicyCase of(AuditLine line, Supplier<Basis> basis, Instant now) {
        try {
            return switch (line.kind()) {
                case ROUTED -> new RecordedCase(line.members()).read();
                case OTHER -> ofCommand(line.members(), basis.get(), now);
                case NOT_ROUTED, COUNTS, GAP -> throw new IllegalArgumentException(line.kind() + " is no case");
            };
        } catch (MalformedBsonException | ProtocolException e) {
            throw new LineFormatException("the command: " + e.getMessage());
        } catch (BsonInvalidOperationException e) {
            throw new LineFormatException("the record: " + e.getMessage());
        }
    }

    private static PolicyCase ofCommand(Members line, Basis basis, Instant now) {
        KnownMembers.OF_COMMANDS.check(line);
        BsonDocument document = line.document("command");
        CommandView command = view(line.database(document), document);
        Route route = new KeyRouter().route(command, basis.catalog(), basis.release());
        return new PolicyCase(command, route, Notes.of(command, route), QueryShapes.of(command), SOMEBODY, now);
    }

    /**
     * A command of a log or a file as a client would send it.
     *
     * @throws LineFormatException if its database is no name
     */
    public static CommandView view(String database, BsonDocument command) {
        if (command.containsKey("$db") && !command.isString("$db")) {
            throw new LineFormatException("member \"$db\" (expected: the name of a database)");
        }
        BsonDocument whole =
                command.containsKey("$db") ? command : command.clone().append("$db", new BsonString(database));
        return CommandView.of(whole.getString("$db").getValue(), BsonView.encode(whole));
    }
}
