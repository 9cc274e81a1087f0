package io.scatterguard.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.scatterguard.protocol.codec.MessageCompression;
import io.scatterguard.protocol.codec.ReplyChunk;
import io.scatterguard.protocol.command.ClientInfo;
import io.scatterguard.protocol.command.CommandView;
import io.scatterguard.protocol.command.ErrorReply;
import io.scatterguard.protocol.wire.MessageHeader;
import io.scatterguard.protocol.wire.OpCode;
import io.scatterguard.protocol.wire.OpMsg;
import io.scatterguard.protocol.wire.WireMessage;
import io.scatterguard.proxy.audit.AuditPressure;
import io.scatterguard.proxy.audit.AuditSource;
import io.scatterguard.proxy.audit.Auditor;
import io.scatterguard.proxy.audit.Outcome;
import io.scatterguard.proxy.catalog.CatalogSnapshot;
import io.scatterguard.proxy.catalog.ShardRegistry;
import io.scatterguard.proxy.catalog.ShardSet;
import io.scatterguard.proxy.policy.Action;
import io.scatterguard.proxy.policy.Policy;
import io.scatterguard.proxy.policy.RefusalTerms;
import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Certainty;
import io.scatterguard.proxy.routing.Placement;
import io.scatterguard.proxy.routing.Reason;
import io.scatterguard.proxy.routing.Route;
import io.scatterguard.proxy.routing.Router;
import io.scatterguard.proxy.routing.RouterRelease;
import io.scatterguard.proxy.routing.StatementRoute;
import io.scatterguard.proxy.routing.WouldFail;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A session between two fake peers; its policy refuses exactly the commands on the collection {@code refused}. */
public final class SessionFixture implements Auditor {
    final FakePeer client = new FakePeer();
    final FakePeer server = new FakePeer();
    final FakeLoop loop = new FakeLoop();
    final FakeCatalog catalog = new FakeCatalog();
    final MeterLog meter = new MeterLog();
    final SessionCounters counters = new SessionCounters(meter);
    final RefusedTransactions transactions;
    final List<Outcome> outcomes = new ArrayList<>();
    final List<AuditSource> sources = new ArrayList<>();
    final List<Verdict> verdicts = new ArrayList<>();
    final List<RouterRelease> releases = new ArrayList<>();
    final AuditPressure pressure = new AuditPressure();
    Router router = this::route;
    Policy policy = (command, route, client, now) -> verdict(command);
    /** What the judge asks: {@link #policy}, whatever that is then. */
    final Policy judged = new Policy() {
        @Override
        public Verdict decide(CommandView command, Route route, ClientInfo who, Instant now) {
            return policy.decide(command, route, who, now);
        }

        @Override
        public Verdict foresee(
                CommandView command, Route route, @Nullable WouldFail wouldFail, ClientInfo who, Instant now) {
            return policy.foresee(command, route, wouldFail, who, now);
        }

        @Override
        public boolean mayRefuse(CommandView command, ClientInfo who) {
            return policy.mayRefuse(command, who);
        }

        @Override
        public long version() {
            return policy.version();
        }

        @Override
        public RefusalTerms refusalTerms(Verdict verdict) {
            return policy.refusalTerms(verdict);
        }

        @Override
        public boolean isBypass() {
            return policy.isBypass();
        }

        @Override
        public boolean isEnforcing() {
            return policy.isEnforcing();
        }
    };

    final CommandJudge judge;
    final FaultyAllocator allocator = new FaultyAllocator();
    boolean recording = true;
    boolean audited = true;
    int dialled;
    long nanos;
    final Session session;

    private static final List<SessionFixture> MADE = new ArrayList<>();

    /** Closes every session made so far, so that what waits in it is released. */
    public static void closeAll() {
        MADE.forEach(fixture -> fixture.session.close(CloseCause.SHUTDOWN));
        MADE.clear();
    }

    SessionFixture() {
        this(false);
    }

    /** {@code authenticates}: whether the server is known to have access control. */
    SessionFixture(boolean authenticates) {
        this(authenticates ? AccessControl.required() : AccessControl.learnt(false), ListenerTraits.FORWARDING);
    }

    SessionFixture(AccessControl accessControl, ListenerTraits traits) {
        this(accessControl, traits, false, new RefusedTransactions());
    }

    private SessionFixture(
            AccessControl accessControl,
            ListenerTraits traits,
            boolean asksIdentity,
            RefusedTransactions transactions) {
        MADE.add(this);
        this.transactions = transactions;
        judge = new CommandJudge(
                (command, catalog, release) -> router.route(command, catalog, release),
                catalog::current,
                judged,
                Action.ALLOW,
                new InternalErrorBreaker(() -> nanos),
                Clock.systemUTC());
        judge.whenBypassMayHaveChanged(pressure::reconsider);
        SessionContext context = new SessionContext(
                "127.0.0.1:27100",
                judge,
                this,
                counters,
                new CloseLog(() -> nanos),
                new SessionLimits(4, 3),
                allocator,
                new ServerTraits(null, accessControl, asksIdentity, new CertificateNotice(() -> nanos)),
                MessageCompression.load(),
                traits,
                new ListenerCatalog(catalog, FakeCatalog.LOAD_TIMEOUT, () -> nanos),
                transactions,
                () -> nanos);
        counters.opened();
        session = new Session(1, context, client, "10.0.0.1:5000", s -> dialled++, loop);
    }

    @Override
    public AuditPressure pressure() {
        return pressure;
    }

    /** A session that has not been asked for anything. */
    public static Session session() {
        return new SessionFixture().session;
    }

    /** A fixture whose server connection is up and whose handshake is not needed. */
    static SessionFixture connected() {
        return connected(false);
    }

    static SessionFixture connected(boolean authenticates) {
        return new SessionFixture(authenticates).connect();
    }

    static SessionFixture connected(AccessControl accessControl, ListenerTraits traits) {
        return new SessionFixture(accessControl, traits).connect();
    }

    /** One that asks the server who has authenticated. */
    static SessionFixture asking() {
        return new SessionFixture(
                        AccessControl.learnt(false), ListenerTraits.FORWARDING, true, new RefusedTransactions())
                .connect();
    }

    /** Another connection of the listener that remembers {@code transactions}. */
    static SessionFixture sharing(RefusedTransactions transactions) {
        return sharing(transactions, AccessControl.learnt(false));
    }

    static SessionFixture sharing(RefusedTransactions transactions, AccessControl accessControl) {
        return new SessionFixture(accessControl, ListenerTraits.FORWARDING, false, transactions).connect();
    }

    private SessionFixture connect() {
        SessionFixture fixture = this;
        fixture.request(0, "{ping: 1, $db: 'admin'}");
        fixture.session.onServerConnected(fixture.server);
        fixture.reply(1000, 0, 0, "{ok: 1.0}");
        fixture.server.written.clear();
        fixture.client.written.clear();
        return fixture;
    }

    private Route route(CommandView command, CatalogSnapshot catalog, RouterRelease release) {
        releases.add(release);
        StatementRoute one = new StatementRoute(
                Placement.UNSHARDED, null, Certainty.EXACT, ShardSet.none(), 0, 0, Reason.UNSHARDED, null);
        return new Route(
                Route.Kind.ROUTED,
                command.namespace(),
                one,
                List.of(one),
                ShardSet.none(),
                ShardSet.none(),
                Placement.UNSHARDED,
                null,
                ShardRegistry.empty(),
                release);
    }

    private static Verdict verdict(CommandView command) {
        boolean refused = command.namespace().collection().equals("refused");
        return new Verdict(refused ? Action.REFUSE : Action.LOG, false, null, null, "default", 1);
    }

    void request(int requestId, String body) {
        session.onRequest(WireMessage.decode(frame(requestId, 0, 0, body)));
    }

    void request(ByteBuf bytes) {
        session.onRequest(WireMessage.decode(bytes));
    }

    void reply(int requestId, int responseTo, int flagBits, String body) {
        ByteBuf bytes = frame(requestId, responseTo, flagBits, body);
        session.onReply(new ReplyChunk(MessageHeader.read(bytes, 0), flagBits, bytes, true, true));
    }

    /** A reply in two parts, the first of {@code first} bytes; takes {@code bytes}. */
    void replyInParts(ByteBuf bytes, int first) {
        MessageHeader header = MessageHeader.read(bytes, 0);
        session.onReply(new ReplyChunk(header, 0, bytes.readRetainedSlice(first), true, false));
        session.onReply(new ReplyChunk(header, 0, bytes, false, true));
    }

    /** The body of the last message that was sent to the client. */
    BsonDocument lastReply() {
        OpMsg message =
                (OpMsg) WireMessage.decode(Unpooled.wrappedBuffer(client.written.get(client.written.size() - 1)));
        return message.body().toBsonDocument();
    }

    /** The body of the last message that was sent to the server. */
    BsonDocument lastForwarded() {
        OpMsg message =
                (OpMsg) WireMessage.decode(Unpooled.wrappedBuffer(server.written.get(server.written.size() - 1)));
        return message.body().toBsonDocument();
    }

    static ByteBuf frame(int requestId, int responseTo, int flagBits, String body) {
        MessageHeader answered = new MessageHeader(0, responseTo, 0, OpCode.OP_MSG.value());
        ByteBuf bytes =
                ErrorReply.encode(UnpooledByteBufAllocator.DEFAULT, answered, requestId, BsonDocument.parse(body));
        return bytes.setIntLE(16, flagBits);
    }

    @Override
    public @Nullable PendingRecord begin(
            CommandView command, Route route, @Nullable WouldFail wouldFail, Verdict verdict, AuditSource source) {
        sources.add(source);
        verdicts.add(verdict);
        return !recording
                ? null
                : new PendingRecord() {
                    @Override
                    public boolean isAudited() {
                        return audited;
                    }
                };
    }

    @Override
    public void end(PendingRecord pending, Outcome outcome) {
        outcomes.add(outcome);
    }
}
