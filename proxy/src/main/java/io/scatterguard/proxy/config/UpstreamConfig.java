package io.scatterguard.proxy.config;

import java.util.List;

/**
 * Where a listener forwards to.
 *
 * @param kind what the hosts are
 * @param hosts at least one; exactly one for a standalone; of a replica set, those members from which the others are found
 * @param direct of a replica set: the one host is the primary, and is dialled by this name whatever the set's configuration
 *     calls it
 */
public record UpstreamConfig(Kind kind, List<HostAndPort> hosts, boolean direct) {
    /** The port of a host that is written without one. */
    public static final int DEFAULT_PORT = 27_017;

    /** What the hosts of an upstream are. */
    public enum Kind implements Choice {
        MONGOS("mongos"),
        REPLICA_SET("replicaSet"),
        STANDALONE("standalone");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /** Whose servers are found as is usual for their kind. */
    public UpstreamConfig(Kind kind, List<HostAndPort> hosts) {
        this(kind, hosts, false);
    }

    public UpstreamConfig {
        hosts = List.copyOf(hosts);
        Requirements requirements = new Requirements()
                .that(
                        !direct || (kind == Kind.REPLICA_SET && hosts.size() == 1),
                        "direct",
                        "true (expected: false, but for a replicaSet with one host)")
                .that(!hosts.isEmpty(), "hosts", "none (expected: at least one host:port)")
                .that(
                        kind != Kind.STANDALONE || hosts.size() <= 1,
                        "hosts",
                        hosts.size() + " hosts (expected: one, for a standalone)");
        for (int i = 0; i < hosts.size(); i++) {
            HostAndPort host = hosts.get(i);
            requirements.that(host.port() > 0, "hosts", "port 0 (expected: 1..65535)");
            requirements.that(hosts.indexOf(host) == i, "hosts", "the same host twice (expected: each once)");
        }
        requirements.check();
    }
}
