package io.scatterguard.tests.fuzz.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.scatterguard.protocol.bson.BsonView;
import io.scatterguard.protocol.bson.MalformedBsonException;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.wire.ProtocolException;
import io.scatterguard.proxy.offline.VectorCatalog;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The filter parser and what follows it, inside a command: the same whenever and wherever it is asked, within bounded
 * memory, and nothing but a {@link MalformedBsonException} comes of it.
 *
 * <p>Input: a byte that chooses the command and the cluster, and a document, the filter; its length is put right.
 */
public final class FilterTarget {
    /** What the filter stands in: the first key, the field, and whether that is an array that wraps it in a document. */
    private record Place(String command, String field, String inner) {}

    private static final List<Place> PLACES = List.of(
            new Place("find", "filter", ""),
            new Place("aggregate", "pipeline", "$match"),
            new Place("delete", "deletes", "q"),
            new Place("update", "updates", "q"),
            new Place("findAndModify", "query", ""),
            new Place("count", "query", ""));

    private FilterTarget() {}

    /** Called by Jazzer for every input. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 1 + 5) {
            return;
        }
        byte[] filter = Arrays.copyOfRange(input, 1, input.length);
        for (int i = 0; i < Integer.BYTES; i++) {
            filter[i] = (byte) (filter.length >> (8 * i));
        }
        Place place = PLACES.get((input[0] & 0xff) % PLACES.size());
        byte[] command = command(place, filter);
        int cluster = (input[0] & 0xff) / PLACES.size();
        String once = said(Unpooled.wrappedBuffer(command), cluster);
        String again = said(
                Unpooled.buffer(command.length + 9).writeZero(9).skipBytes(9).writeBytes(command), cluster);
        Framing.require(once.equals(again), "the same when it is asked again: " + once, again);
    }

    private static String said(ByteBuf command, int cluster) {
        try {
            CommandView view = CommandView.of(VectorCatalog.DATABASE, BsonView.of(command));
            return Clusters.allSaidOf(view, cluster);
        } catch (ProtocolException | MalformedBsonException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** The command as it would arrive; the filter's bytes are not looked at. */
    private static byte[] command(Place place, byte[] filter) {
        ByteBuf out = Unpooled.buffer(filter.length + 128);
        int command = begin(out);
        name(out, 2, place.command());
        out.writeIntLE(2).writeByte('c').writeByte(0);
        if (place.inner().isEmpty()) {
            name(out, 3, place.field());
            out.writeBytes(filter);
        } else {
            name(out, 4, place.field());
            int array = begin(out);
            name(out, 3, "0");
            int element = begin(out);
            name(out, 3, place.inner());
            out.writeBytes(filter);
            if (place.command().equals("delete")) {
                name(out, 16, "limit");
                out.writeIntLE(0);
            } else if (place.command().equals("update")) {
                name(out, 3, "u");
                out.writeIntLE(5).writeByte(0);
                name(out, 8, "multi");
                out.writeByte(1);
            }
            end(out, element);
            end(out, array);
        }
        end(out, command);
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    private static int begin(ByteBuf out) {
        out.writeIntLE(0);
        return out.writerIndex() - Integer.BYTES;
    }

    private static void name(ByteBuf out, int type, String name) {
        out.writeByte(type).writeBytes(name.getBytes(StandardCharsets.US_ASCII)).writeByte(0);
    }

    private static void end(ByteBuf out, int start) {
        out.writeByte(0).setIntLE(start, out.writerIndex() - start);
    }

    /** The input for {@code filter}, a document, in the command and on the cluster of this number. */
    static byte[] input(int place, byte[] filter) {
        byte[] input = new byte[1 + filter.length];
        input[0] = (byte) place;
        System.arraycopy(filter, 0, input, 1, filter.length);
        return input;
    }
}
