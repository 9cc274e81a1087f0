package io.scatterguard.proxy.offline;

import io.scatterguard.proxy.records.RecordFields;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The members of a record that was read as Extended JSON, like the commands that may stand beside it. */
record BsonFields(BsonDocument document) implements RecordFields {
    private static final BsonFields NONE = new BsonFields(new BsonDocument());

    private BsonFields part(String name) {
        return isObject(name) ? new BsonFields(document.getDocument(name)) : NONE;
    }

    @Override
    public boolean isObject(String name) {
        return document.isDocument(name);
    }

    @Override
    public boolean isNumber(String name) {
        return document.isNumber(name);
    }

    @Override
    public String text(String name) {
        BsonValue value = document.get(name);
        return value != null && value.isString() ? value.asString().getValue() : "";
    }

    @Override
    public String text(String part, String name) {
        return part(part).text(name);
    }

    @Override
    public long number(String name) {
        return isNumber(name) ? document.getNumber(name).longValue() : 0;
    }

    @Override
    public long number(String part, String name) {
        return part(part).number(name);
    }

    @Override
    public boolean flag(String part, String name) {
        BsonDocument in = part(part).document;
        return in.isBoolean(name) && in.getBoolean(name).getValue();
    }
}
