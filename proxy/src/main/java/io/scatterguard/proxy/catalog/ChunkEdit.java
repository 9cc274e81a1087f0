package io.scatterguard.proxy.catalog;

import java.util.List;

/**
 * A change of a routing table: chunks in place of others that cover the same keys.
 *
 * @param first the index of the first chunk that goes
 * @param end the index after the last one
 * @param chunks what comes, ascending
 */
record ChunkEdit(int first, int end, List<ReadChunk> chunks) {
    /** The chunks of {@code base} with {@code edits}, which ascend and do not overlap; unchanged pages are shared. */
    static ChunkPages apply(ChunkPages base, List<ChunkEdit> edits) {
        PageWriter writer = new PageWriter(base.pageChunks());
        int page = 0;
        int at = 0; // of the page
        for (ChunkEdit edit : edits) {
            while (base.firstChunk(page + 1) <= edit.first()) {
                copy(base.page(page), at, writer);
                page++;
                at = 0;
            }
            writer.add(base.page(page), at, edit.first() - base.firstChunk(page));
            edit.chunks().forEach(chunk -> writer.add(chunk.min(), chunk.owner(), chunk.history()));
            while (page < base.pageCount() && base.firstChunk(page + 1) <= edit.end()) {
                page++;
            }
            at = edit.end() - base.firstChunk(page);
        }
        for (; page < base.pageCount(); page++) {
            copy(base.page(page), at, writer);
            at = 0;
        }
        return writer.build();
    }

    private static void copy(ChunkPage page, int from, PageWriter writer) {
        if (from == 0) {
            writer.share(page);
        } else {
            writer.add(page, from, page.size());
        }
    }
}
