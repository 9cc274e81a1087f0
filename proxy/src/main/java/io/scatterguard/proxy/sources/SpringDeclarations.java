package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.AnnotatedTypes.Annotated;
import io.scatterguard.proxy.sources.AnnotatedTypes.Annotation;
import io.scatterguard.proxy.sources.Findings.KeyField;
import io.scatterguard.proxy.sources.Findings.Target;
import io.scatterguard.proxy.sources.Literal.Item;
import io.scatterguard.proxy.sources.Literal.Items;
import io.scatterguard.proxy.sources.Literal.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Spring Data MongoDB's {@code @Sharded} on a type in Java or Kotlin. The properties that it names are mapped to the fields
 * of the documents; without any the key is {@code _id}. The collection is that of {@code @Document}, else the type's simple
 * name with a small first letter (Spring Data MongoDB reference, "Sharding" and "Mapping").
 */
final class SpringDeclarations implements SourceDeclarations {
    @Override
    public boolean reads(String fileName) {
        return fileName.endsWith(".java") || fileName.endsWith(".kt");
    }

    @Override
    public void read(SourceFile file, Findings found) {
        if (!file.text().contains("Sharded")) {
            return;
        }
        SourceCode code = new SourceCode(file, file.name().endsWith(".kt") ? Syntax.KOTLIN : Syntax.JAVA);
        for (Annotated type : AnnotatedTypes.of(code)) {
            Optional<Annotation> sharded = type.annotation("Sharded");
            if (sharded.isPresent()) {
                try {
                    declare(code, type, sharded.get(), found);
                } catch (SourceException e) {
                    found.unreadable(code.place(e.offset()), "@Sharded of " + type.name() + ": " + e.getMessage());
                }
            }
        }
    }

    private static void declare(SourceCode code, Annotated type, Annotation sharded, Findings found) {
        Items arguments = sharded.read(code);
        boolean hashed = arguments
                .named("shardingStrategy")
                .map(strategy -> isHash(strategy))
                .orElse(false);
        Map<String, String> fields = SpringFields.of(code, type);
        List<KeyField> key = new ArrayList<>();
        for (String property : properties(arguments)) {
            key.add(new KeyField(SpringFields.mapped(property, fields), hashed));
        }
        if (key.isEmpty()) {
            key.add(new KeyField("_id", hashed));
        }
        found.declare(code.place(sharded.offset()), Target.of(collection(code, type)), key);
    }

    private static boolean isHash(Literal strategy) {
        if (strategy instanceof Word word
                && (word.last().equals("HASH") || word.last().equals("RANGE"))) {
            return word.last().equals("HASH");
        }
        throw new SourceException(strategy.offset(), "shardingStrategy is neither RANGE nor HASH written out");
    }

    /** Kotlin takes the properties also one after the other. */
    private static List<String> properties(Items arguments) {
        List<String> properties = new ArrayList<>();
        for (Item item : arguments.items()) {
            String name = item.name();
            if (name == null || name.equals("value") || name.equals("shardKey")) {
                if (item.value() instanceof Items list) {
                    list.items().forEach(element -> properties.add(Literal.requireText(element.value())));
                } else {
                    properties.add(Literal.requireText(item.value()));
                }
            }
        }
        return properties;
    }

    private static String collection(SourceCode code, Annotated type) {
        Optional<Annotation> document = type.annotation("Document");
        if (document.isPresent()) {
            Items arguments = document.get().read(code);
            Optional<Literal> given = arguments
                    .named("collection")
                    .or(() -> arguments.named("value"))
                    .or(() -> arguments.unnamed(0));
            if (given.isPresent()) {
                String name = Literal.requireText(given.get());
                if (name.contains("#{")) {
                    throw new SourceException(given.get().offset(), "the name of its collection is an expression");
                }
                if (!name.isEmpty()) {
                    return name;
                }
            }
        }
        return Character.toLowerCase(type.name().charAt(0)) + type.name().substring(1);
    }
}
