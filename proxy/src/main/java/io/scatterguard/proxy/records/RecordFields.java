package io.scatterguard.proxy.records;

import com.fasterxml.jackson.databind.JsonNode;

/** The members of a record, whichever library has read them. What is missing, or of another type, is nothing: no exceptions. */
public interface RecordFields {
    /** Whether {@code name} is an object. */
    boolean isObject(String name);

    /** Whether {@code name} is a number. */
    boolean isNumber(String name);

    /** The text {@code name}; empty if there is none. */
    String text(String name);

    /** The text {@code name} of the object {@code part}; empty if there is none. */
    String text(String part, String name);

    /** The number {@code name}; 0 if there is none. */
    long number(String name);

    /** The number {@code name} of the object {@code part}; 0 if there is none. */
    long number(String part, String name);

    /** Whether {@code name} of the object {@code part} is {@code true}. */
    boolean flag(String part, String name);

    /** The members of a tree of JSON. */
    static RecordFields of(JsonNode json) {
        return new RecordFields() {
            @Override
            public boolean isObject(String name) {
                return json.path(name).isObject();
            }

            @Override
            public boolean isNumber(String name) {
                return json.path(name).isNumber();
            }

            @Override
            public String text(String name) {
                return json.path(name).textValue() == null
                        ? ""
                        : json.path(name).textValue();
            }

            @Override
            public String text(String part, String name) {
                return of(json.path(part)).text(name);
            }

            @Override
            public long number(String name) {
                return json.path(name).longValue();
            }

            @Override
            public long number(String part, String name) {
                return json.path(part).path(name).longValue();
            }

            @Override
            public boolean flag(String part, String name) {
                return json.path(part).path(name).booleanValue();
            }
        };
    }
}
