package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.config.CollectionRule.Shards;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The shard keys that an application's sources declare: for Spring Data MongoDB, mongoose, Doctrine MongoDB ODM, Mongoid and
 * MongoEngine.
 *
 * @param declarations the first of each collection, in the order of their files
 * @param unreadable what looks like a declaration and cannot be read, and files that cannot: {@code path:line: reason}
 * @param files how many files were looked at
 */
public record SourceRules(List<Declaration> declarations, List<String> unreadable, int files) {
    public SourceRules {
        declarations = List.copyOf(declarations);
        unreadable = List.copyOf(unreadable);
    }

    /**
     * Looks through files and folders.
     *
     * @param database for the declarations that name none
     * @param shards how many shards each collection is declared on
     * @throws IOException if one of the {@code roots} is not there
     */
    public static SourceRules of(List<Path> roots, String database, Shards shards) throws IOException {
        List<SourceDeclarations> kinds = List.of(
                new SpringDeclarations(),
                new MongooseDeclarations(),
                new DoctrineDeclarations(),
                new DoctrineXml(),
                new MongoidDeclarations(),
                new MongoEngineDeclarations());
        Findings found = new Findings(database, shards);
        List<String> unreadable = new ArrayList<>();
        int files = 0;
        for (Path root : roots) {
            SourceTree tree = new SourceTree(root, name -> kinds.stream().anyMatch(kind -> kind.reads(name)));
            tree.forEach(file ->
                    kinds.stream().filter(kind -> kind.reads(file.name())).forEach(kind -> kind.read(file, found)));
            unreadable.addAll(tree.unreadable());
            files += tree.fileCount();
        }
        kinds.forEach(kind -> kind.end(found));
        unreadable.addAll(found.unreadable());
        return new SourceRules(found.declarations(), unreadable, files);
    }
}
