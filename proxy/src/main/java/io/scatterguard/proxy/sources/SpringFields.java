package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.AnnotatedTypes.Annotated;
import io.scatterguard.proxy.sources.AnnotatedTypes.Annotation;
import io.scatterguard.proxy.sources.Literal.Items;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How the properties of a type are called in its documents, as far as the type itself says. */
final class SpringFields {
    private SpringFields() {}

    /** The fields of the properties that are called otherwise: by {@code @Field}, {@code @Id} or {@code @MongoId}. */
    static Map<String, String> of(SourceCode code, Annotated type) {
        Map<String, String> fields = new HashMap<>();
        int end = end(code, type);
        int at = type.header();
        while (at < end) {
            if (code.at(at) != '@' || code.wordEnd(at + 1) == at + 1) {
                at++;
                continue;
            }
            Annotation annotation = AnnotatedTypes.annotation(code, at);
            at = AnnotatedTypes.end(code, annotation);
            Optional<String> field = field(code, annotation);
            if (field.isPresent()) {
                fields.putIfAbsent(property(code, at, end), field.get());
            }
        }
        return fields;
    }

    private static Optional<String> field(SourceCode code, Annotation annotation) {
        if (annotation.name().equals("Id") || annotation.name().equals("MongoId")) {
            return Optional.of("_id");
        }
        if (!annotation.name().equals("Field")) {
            return Optional.empty();
        }
        Items arguments = annotation.read(code);
        return arguments
                .named("name")
                .or(() -> arguments.named("value"))
                .or(() -> arguments.unnamed(0))
                .map(Literal::requireText)
                .filter(name -> !name.isEmpty());
    }

    /** The parameters of a record or of a class in Kotlin, and the body. */
    private static int end(SourceCode code, Annotated type) {
        int end = type.header();
        for (int i = type.header(); i < code.length(); i++) {
            char c = code.at(i);
            if (c == '(' && code.closing(i) >= 0) {
                i = code.closing(i);
                end = i;
            } else if (c == '{') {
                return Math.max(code.closing(i), end);
            } else if (c == ';' || c == '}' || c == '@') {
                break;
            }
        }
        return end;
    }

    /** The name of the property declared from {@code from} on: the word after {@code val} or {@code var}, else the last one. */
    private static String property(SourceCode code, int from, int end) {
        String last = "";
        boolean named = false;
        int depth = 0;
        int at = from;
        while ((at = code.skipBlanks(at)) < end) {
            char c = code.at(at);
            if (depth == 0 && (c == ';' || c == '=' || c == ',' || c == ')' || c == '{' || (c == ':' && named))) {
                break;
            }
            if (c == '@' && code.wordEnd(at + 1) > at + 1) {
                at = AnnotatedTypes.end(code, AnnotatedTypes.annotation(code, at));
                continue;
            }
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            int wordEnd = code.wordEnd(at);
            if (wordEnd > at && depth == 0) {
                last = code.code().substring(at, wordEnd);
                named |= last.equals("val") || last.equals("var");
            }
            at = Math.max(at + 1, wordEnd);
        }
        return last;
    }

    /** The path of a property in the documents; a property {@code id} is {@code _id} unless another is. */
    static String mapped(String property, Map<String, String> fields) {
        int dot = property.indexOf('.');
        String first = dot < 0 ? property : property.substring(0, dot);
        String rest = dot < 0 ? "" : property.substring(dot);
        boolean id = first.equals("id") && !fields.containsValue("_id");
        return fields.getOrDefault(first, id ? "_id" : first) + rest;
    }
}
