package io.scatterguard.proxy.cli;

import io.scatterguard.proxy.logs.LoggedCommand;
import io.scatterguard.proxy.offline.InputLine;
import io.scatterguard.proxy.offline.LineFormatException;
import io.scatterguard.proxy.offline.OfflineJudge;
import io.scatterguard.proxy.reports.FindingsTally;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.bson.BsonSerializationException;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges inputs, on all processors, and adds up what comes of it in the order of the inputs. Memory is bounded by a few batches
 * of lines and the number of shapes.
 */
final class CheckRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CheckRun.class);
    private static final int BATCH_LINES = 500;
    private static final int BATCH_BYTES = 1 << 20;
    private static final int SHOWN = 5;

    private final CheckWork work;
    private final ExecutorService workers;
    private final int ahead = 2 * Runtime.getRuntime().availableProcessors();
    private final Deque<CompletableFuture<List<Judged>>> pending = new ArrayDeque<>();
    private final Map<String, Long> leftOut = new TreeMap<>();
    private final List<String> unreadable = new ArrayList<>();
    private final List<String> cutOff = new ArrayList<>();
    private long unreadableLines;
    private long judged;
    private boolean idle = true;

    /** @param judge asked for when the first command comes: records need none */
    CheckRun(Supplier<OfflineJudge> judge, FindingsTally tally) {
        this(new FindingsWork(judge, tally));
    }

    /** @param work what is made of each command */
    CheckRun(CheckWork work) {
        this.work = work;
        this.workers = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), task -> {
            Thread thread = new Thread(task, "scatterguard-check");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** What came of one item: what adds it up, which is null if there is nothing to add, or why there is nothing. */
    private record Judged(
            @Nullable Runnable add,
            boolean command,
            boolean continued,
            @Nullable String leftOut,
            @Nullable String unreadable) {
        static final Judged NOTHING = new Judged(null, false, false, null, null);

        static Judged leftOut(String why) {
            return new Judged(null, false, false, why, null);
        }

        static Judged unreadable(String why) {
            return new Judged(null, false, false, null, why);
        }
    }

    /** Adds all of {@code input}, or what comes until the thread is interrupted. */
    void add(CheckedInput input) throws IOException {
        List<byte[]> batch = new ArrayList<>(BATCH_LINES);
        long first = 1;
        try {
            int bytes = 0;
            for (byte[] item = next(input); item != null; item = next(input)) {
                batch.add(item);
                bytes += item.length;
                if (batch.size() >= BATCH_LINES || bytes >= BATCH_BYTES) {
                    submit(input, batch, first);
                    first = input.number() + 1;
                    batch = new ArrayList<>(BATCH_LINES);
                    bytes = 0;
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("no longer waiting for more: input={}", input.name());
        }
        submit(input, batch, first);
        while (!pending.isEmpty()) {
            take();
        }
    }

    /** What came before the end of what can be read counts all the same, and so do the other inputs. */
    private byte @Nullable [] next(CheckedInput input) throws InterruptedException {
        try {
            return input.next();
        } catch (IOException e) {
            String why = e.getMessage();
            String place = why != null && why.startsWith(input.name()) ? "" : input.name() + ": ";
            cutOff.add(place + (why == null ? e.getClass().getSimpleName() : why));
            return null;
        }
    }

    /** The inputs that could not be read to their end, and why. */
    List<String> cutOff() {
        return List.copyOf(cutOff);
    }

    private void submit(CheckedInput input, List<byte[]> batch, long first) throws IOException {
        boolean bson = input.isBson();
        String place = input.name() + ":";
        pending.add(CompletableFuture.supplyAsync(
                () -> {
                    List<Judged> all = new ArrayList<>(batch.size());
                    for (int i = 0; i < batch.size(); i++) {
                        Judged one = judge(parsed(batch.get(i), bson));
                        all.add(
                                one.unreadable == null
                                        ? one
                                        : Judged.unreadable(place + (first + i) + ": " + one.unreadable));
                    }
                    return all;
                },
                workers));
        while (pending.size() > ahead) {
            take();
        }
    }

    private static InputLine parsed(byte[] item, boolean bson) {
        try {
            return item(item, bson);
        } catch (RuntimeException | StackOverflowError e) {
            return new InputLine.Unreadable(
                    "cannot be read: internal error " + e.getClass().getSimpleName());
        }
    }

    private static InputLine item(byte[] item, boolean bson) {
        if (CheckedInput.isTooLong(item)) {
            return new InputLine.Unreadable("longer than " + CheckedInput.MAX_BYTES + " bytes");
        }
        try {
            return bson
                    ? InputLine.of(new RawBsonDocument(item).decode(new BsonDocumentCodec()))
                    : InputLine.of(text(item));
        } catch (CharacterCodingException e) {
            return new InputLine.Unreadable("not UTF-8");
        } catch (BsonSerializationException e) {
            return new InputLine.Unreadable("not BSON");
        }
    }

    /** Most lines have no wrong bytes, for which the quick way puts a character that hardly any has. */
    private static String text(byte[] item) throws CharacterCodingException {
        String quick = new String(item, StandardCharsets.UTF_8);
        return quick.indexOf('\ufffd') < 0
                ? quick
                : StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(item))
                        .toString();
    }

    private Judged judge(InputLine line) {
        if (line instanceof InputLine.Ran ran) {
            return judge(ran.command());
        } else if (line instanceof InputLine.Recorded recorded) {
            Runnable add = work.recorded(recorded.record());
            return add == null ? Judged.leftOut(CheckWork.NOT_AGAIN) : new Judged(add, false, false, null, null);
        } else if (line instanceof InputLine.LeftOut left) {
            return Judged.leftOut(left.why());
        }
        return line instanceof InputLine.Unreadable wrong ? Judged.unreadable(wrong.why()) : Judged.NOTHING;
    }

    private Judged judge(LoggedCommand command) {
        work.prepare();
        try {
            return new Judged(work.judged(command), true, command.continued(), null, null);
        } catch (LineFormatException e) {
            return Judged.unreadable(String.valueOf(e.getMessage()));
        } catch (RuntimeException | StackOverflowError e) {
            // A fault of ours costs the line. Its message may quote what it stumbled over.
            return Judged.unreadable(
                    "cannot be judged: internal error " + e.getClass().getSimpleName());
        }
    }

    private void take() throws IOException {
        try {
            CompletableFuture<List<Judged>> oldest = pending.remove();
            oldest.join().forEach(this::add); // a few milliseconds: not worth an interruption
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IOException(e.getCause());
        }
    }

    private void add(Judged one) {
        judged += one.command && !one.continued ? 1 : 0;
        idle &= !one.command && one.add == null;
        if (one.leftOut != null) {
            leftOut.merge(one.leftOut, 1L, Long::sum);
        } else if (one.unreadable != null) {
            unreadableLines++;
            if (unreadable.size() < SHOWN) {
                unreadable.add(one.unreadable);
            }
        } else if (one.add != null) {
            one.add.run();
        }
    }

    /** Whether there was nothing to judge, and no record. */
    boolean isIdle() {
        return idle;
    }

    /** How many commands were judged, further batches of them not counted. */
    long judged() {
        return judged;
    }

    /** How many commands of which too little is recorded, by what is missing. */
    Map<String, Long> leftOut() {
        return leftOut;
    }

    long unreadableLines() {
        return unreadableLines;
    }

    /** Where the first of them are and why. */
    List<String> unreadable() {
        return unreadable;
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
