package io.scatterguard.proxy.sources;

/** The shard keys that one library's users declare. An object of it sees the files of one run, one after the other. */
interface SourceDeclarations {
    /** Whether a file of this name may hold declarations, or something that they need. */
    boolean reads(String fileName);

    /** Adds what {@code file} declares to {@code found}; what looks like a declaration and cannot be read is reported there. */
    void read(SourceFile file, Findings found);

    /** After the last file: adds what needed more than one of them. */
    default void end(Findings found) {}
}
