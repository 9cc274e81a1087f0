package io.scatterguard.tests.captures;

import io.scatterguard.tests.support.FrameReader;
import io.scatterguard.tests.support.WireFrame;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;

/** One recorded run of a client; see {@code captures/README.md}. */
public record Capture(String name, List<Read> reads) {
    /** The files, without their extension. */
    public static final List<String> NAMES =
            List.of("node-plain", "mongosh", "node-zlib-scram", "java-zlib-scram", "pymongo-zlib");

    /** Which way bytes went. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    /** The bytes of one read of the recorder, of one connection. */
    public record Read(int connection, Direction direction, ByteBuffer data) {
        static Read of(int connection, Direction direction, byte[] bytes) {
            return new Read(connection, direction, ByteBuffer.wrap(bytes));
        }

        /** A copy of the bytes. */
        byte[] bytes() {
            byte[] copy = new byte[data.remaining()];
            data.duplicate().get(copy);
            return copy;
        }
    }

    public Capture {
        reads = List.copyOf(reads);
    }

    /** The capture {@code name} of the test resources. */
    public static Capture read(String name) {
        try (InputStream in = Capture.class.getResourceAsStream("/captures/" + name + ".jsonl")) {
            if (in == null) {
                throw new IllegalStateException("/captures/" + name + ".jsonl: not among the test resources");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Capture(
                    name,
                    text.lines()
                            .filter(line -> !line.isBlank())
                            .map(Capture::line)
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Read line(String line) {
        BsonDocument read = BsonDocument.parse(line);
        String direction = read.getString("d").getValue();
        return Read.of(
                read.getInt32("c").getValue(),
                direction.equals("c>s") ? Direction.TO_SERVER : Direction.TO_CLIENT,
                Base64.getDecoder().decode(read.getString("b").getValue()));
    }

    /** The numbers of the connections, in the order of their first bytes. */
    public List<Integer> connections() {
        return reads.stream().map(Read::connection).distinct().toList();
    }

    /** Everything that went one way on one connection. */
    public byte[] stream(int connection, Direction direction) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        reads.stream()
                .filter(read -> read.connection() == connection && read.direction() == direction)
                .forEach(read -> all.writeBytes(read.bytes()));
        return all.toByteArray();
    }

    /** The messages of a stream, taken apart by a codec that is not the proxy's. */
    public static List<WireFrame> messages(byte[] stream) {
        FrameReader frames = new FrameReader(new ByteArrayInputStream(stream));
        List<WireFrame> messages = new ArrayList<>();
        try {
            for (Optional<WireFrame> next = frames.read(); next.isPresent(); next = frames.read()) {
                messages.add(next.get());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return messages;
    }

    /** The same run, its reads cut up: {@code cut} makes smaller ones of one. */
    public Capture recut(UnaryOperator<List<byte[]>> cut) {
        List<Read> smaller = new ArrayList<>();
        for (Read read : reads) {
            cut.apply(List.of(read.bytes()))
                    .forEach(part -> smaller.add(Read.of(read.connection(), read.direction(), part)));
        }
        return new Capture(name, smaller);
    }

    @Override
    public String toString() {
        return name;
    }
}
