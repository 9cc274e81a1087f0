package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.Findings.Target;
import io.scatterguard.proxy.sources.Literal.Word;
import io.scatterguard.proxy.sources.MongooseSource.Model;
import io.scatterguard.proxy.sources.MongooseSource.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * mongoose's {@code shardKey}, an option of a schema, in JavaScript and TypeScript, and in NestJS's {@code @Schema}. The
 * collection is the third argument of {@code model}, else the schema's option {@code collection}, else the plural of the
 * model's name. The model is looked for by the name of the schema's variable, in its file first (mongoose documentation,
 * "Schemas" and "Models").
 */
final class MongooseDeclarations implements SourceDeclarations {
    private final List<Schema> schemas = new ArrayList<>();
    private final List<Model> models = new ArrayList<>();
    private boolean ownPlurals;

    @Override
    public boolean reads(String fileName) {
        boolean generated = fileName.endsWith(".min.js") || fileName.endsWith(".d.ts");
        return !generated && (isScript(fileName, "js") || isScript(fileName, "ts"));
    }

    private static boolean isScript(String name, String kind) {
        return name.endsWith("." + kind) || name.endsWith(".c" + kind) || name.endsWith(".m" + kind);
    }

    @Override
    public void read(SourceFile file, Findings found) {
        boolean declares = file.text().contains("shardKey");
        if (!declares && !file.text().contains("model") && !file.text().contains("pluralize")) {
            return;
        }
        MongooseSource source = new MongooseSource(new SourceCode(file, Syntax.JAVASCRIPT));
        if (declares) {
            schemas.addAll(source.schemas());
        }
        models.addAll(source.models());
        ownPlurals |= source.setsPluralize();
    }

    @Override
    public void end(Findings found) {
        for (Schema schema : schemas) {
            Optional<Literal> key = schema.option("shardKey");
            if (key.isPresent()) {
                SourceCode code = schema.code();
                try {
                    found.declare(
                            code.place(schema.offset()),
                            Target.of(collection(schema)),
                            KeyLiterals.named(key.get(), UnaryOperator.identity()));
                } catch (SourceException e) {
                    found.unreadable(code.place(e.offset()), "shardKey of a schema: " + e.getMessage());
                }
            }
        }
    }

    private String collection(Schema schema) {
        Optional<Model> model = model(schema);
        Optional<String> given = model.flatMap(Model::collection)
                .or(() -> schema.option("collection").map(Literal::requireText));
        if (given.isPresent()) {
            return given.get();
        }
        String name = schema.type()
                .or(() -> model.map(Model::name))
                .orElseThrow(() -> new SourceException(
                        schema.offset(), "neither its collection nor its model is found in what was read"));
        if (ownPlurals) {
            throw new SourceException(
                    schema.offset(), "pluralize is set, so that the collection of model " + name + " is not known");
        }
        boolean plain = schema.option("pluralization")
                .filter(value -> value instanceof Word word && word.value().equals("false"))
                .isPresent();
        return plain ? name : Plurals.mongoose(name);
    }

    private Optional<Model> model(Schema schema) {
        List<Model> of = models.stream().filter(model -> model.isOf(schema)).toList();
        List<Model> here = of.stream()
                .filter(model ->
                        model.code().file().path().equals(schema.code().file().path()))
                .toList();
        List<Model> candidates = here.isEmpty() ? of : here;
        if (candidates.size() > 1
                && candidates.stream().map(Model::names).distinct().count() > 1) {
            throw new SourceException(schema.offset(), "more than one model has a schema of this name");
        }
        return candidates.stream().findFirst();
    }
}
