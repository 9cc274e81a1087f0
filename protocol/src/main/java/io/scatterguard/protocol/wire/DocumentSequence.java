package io.scatterguard.protocol.wire;

import io.netty.buffer.ByteBuf;
import io.scatterguard.protocol.bson.BsonView;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * A section of kind 1: documents one after another, standing for an array field of the body. Borrows the message's
 * bytes; the documents' lengths are checked when the section is decoded.
 */
public final class DocumentSequence implements Iterable<BsonView> {
    /** Twice what a server accepts ({@code maxWriteBatchSize} is 100,000), so that its own error is the one seen. */
    static final int MAX_DOCUMENTS = 200_000;

    private final String identifier;
    private final ByteBuf bytes;
    private final int offset;
    private final int limit;
    private final int size;

    DocumentSequence(String identifier, ByteBuf bytes, int offset, int limit) {
        this.identifier = identifier;
        this.bytes = bytes;
        this.offset = offset;
        this.limit = limit;
        this.size = count(bytes, offset, limit);
    }

    private static int count(ByteBuf bytes, int offset, int limit) {
        int count = 0;
        for (int at = offset; at < limit; count++) {
            at += BsonView.of(bytes, at, limit).sizeBytes();
            if (count == MAX_DOCUMENTS) {
                throw new ProtocolException("document sequence: more than " + MAX_DOCUMENTS + " documents");
            }
        }
        return count;
    }

    /** The name of the field it stands for, for instance {@code documents}. */
    public String identifier() {
        return identifier;
    }

    /** How many documents there are. */
    public int size() {
        return size;
    }

    @Override
    public Iterator<BsonView> iterator() {
        return new Iterator<>() {
            private int at = offset;

            @Override
            public boolean hasNext() {
                return at < limit;
            }

            @Override
            public BsonView next() {
                if (at >= limit) {
                    throw new NoSuchElementException();
                }
                BsonView view = BsonView.of(bytes, at, limit);
                at += view.sizeBytes();
                return view;
            }
        };
    }
}
