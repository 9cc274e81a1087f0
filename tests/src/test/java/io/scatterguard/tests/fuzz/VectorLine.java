package io.scatterguard.tests.fuzz;

import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;

/** A case as a line of {@code vectors/found-by-fuzzing.jsonl}, in the format of targeting semantics §20. */
record VectorLine(FuzzCase c, String release, Set<String> expected, String note) {
    /** As the vectors are written: a plain integer is an int32. */
    private static final JsonWriterSettings EXTENDED = JsonWriterSettings.builder()
            .outputMode(JsonMode.RELAXED)
            .int64Converter((value, writer) -> {
                writer.writeStartObject();
                writer.writeString("$numberLong", Long.toString(value));
                writer.writeEndObject();
            })
            .build();

    @Override
    public String toString() {
        BsonDocument line = new BsonDocument("id", new BsonString("fuzz-" + Integer.toHexString(c.hashCode())))
                .append("source", new BsonString("found by fuzzing"))
                .append("certainty", new BsonString("code"))
                .append("versions", new BsonString(release));
        line.putAll(c.layout().vector());
        BsonArray shards = new BsonArray();
        new TreeSet<>(expected).forEach(shard -> shards.add(new BsonString(shard)));
        line.append("command", c.command()).append("expectShards", shards).append("note", new BsonString(note));
        return line.toJson(EXTENDED);
    }
}
