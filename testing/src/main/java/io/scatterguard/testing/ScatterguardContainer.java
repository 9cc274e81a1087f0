package io.scatterguard.testing;

import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * A proxy in a container, for Testcontainers. It observes: nothing is refused, and every certain broadcast is a finding, unless
 * {@link #withPolicy} says otherwise. Needs {@code org.testcontainers:testcontainers}, which is not among the dependencies of this
 * artifact.
 */
public final class ScatterguardContainer extends GenericContainer<ScatterguardContainer> {
    private static final DockerImageName JRE = DockerImageName.parse("eclipse-temurin:21-jre");
    private static final String JAR = "/opt/scatterguard/scatterguard.jar";
    private static final int TOKEN_BYTES = 16;
    private static final int READABLE = 0644;

    private final ContainerConfig config = new ContainerConfig();
    private final String token = randomToken();

    /** What the proxy stands in front of. */
    public enum Upstream {
        MONGOS("mongos"),
        REPLICA_SET("replicaSet"),
        STANDALONE("standalone");

        private final String text;

        Upstream(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /**
     * By an image whose entry point is the command line, {@code scatterguard}. None is published yet: build one of your own, or
     * use {@link #fromJar(Path)}.
     */
    public ScatterguardContainer(DockerImageName image) {
        super(image);
        withCommand("serve", "--config", ContainerConfig.FILE);
        withExposedPorts(ContainerConfig.PROXY_PORT, ContainerConfig.ADMIN_PORT);
        withCopyToContainer(Transferable.of(token, READABLE), ContainerConfig.TOKEN);
        waitingFor(Wait.forHttp("/readyz").forPort(ContainerConfig.ADMIN_PORT).forStatusCode(200));
    }

    /** Likewise, by its name. */
    public ScatterguardContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /** Runs the distribution's {@code scatterguard.jar} on an image with Java 21. */
    public static ScatterguardContainer fromJar(Path jar) {
        return fromJar(jar, JRE);
    }

    /** Likewise, on an image with {@code java} 17 or later on its path. */
    public static ScatterguardContainer fromJar(Path jar, DockerImageName image) {
        ScatterguardContainer container = new ScatterguardContainer(image);
        container.withCopyFileToContainer(MountableFile.forHostPath(jar), JAR);
        container.withCommand("java", "-jar", JAR, "serve", "--config", ContainerConfig.FILE);
        return container;
    }

    /**
     * What the proxy stands in front of; required.
     *
     * @param hosts {@code host:port} as the container reaches them: names of a shared {@code Network}, or {@code
     *     host.testcontainers.internal}
     */
    public ScatterguardContainer withUpstream(Upstream kind, String... hosts) {
        if (hosts.length == 0) {
            throw new IllegalArgumentException("hosts: none (expected: at least one host:port)");
        }
        config.upstream(kind, List.of(hosts));
        return this;
    }

    /** The file of declared shard keys, {@code docs/sharding-rules.md}. */
    public ScatterguardContainer withRules(Path file) {
        return withRules(MountableFile.forHostPath(file));
    }

    /** Likewise, for instance {@code MountableFile.forClasspathResource("rules.yaml")}. */
    public ScatterguardContainer withRules(MountableFile file) {
        config.rules();
        return withCopyFileToContainer(file, ContainerConfig.RULES);
    }

    /** What stands below {@code policy:} in a configuration, {@code docs/policy.md}. */
    public ScatterguardContainer withPolicy(String yaml) {
        config.policy(yaml);
        return this;
    }

    @Override
    protected void configure() {
        if (!config.hasUpstream()) {
            throw new IllegalStateException("upstream: none (expected: withUpstream(kind, hosts))");
        }
        withCopyToContainer(Transferable.of(configuration(), READABLE), ContainerConfig.FILE);
    }

    String configuration() {
        return config.text();
    }

    String token() {
        return token;
    }

    /** For clients outside of containers. */
    public String getConnectionString() {
        return "mongodb://" + getHost() + ":" + getMappedPort(ContainerConfig.PROXY_PORT) + "/";
    }

    /** Where the API is, for clients outside of containers. */
    public String getApiUrl() {
        return "http://" + getHost() + ":" + getMappedPort(ContainerConfig.ADMIN_PORT);
    }

    /** What was found since the start, or the last {@link #resetFindings}: the costliest 1,000 shapes. */
    public List<ContainerFinding> findings() {
        return api().findings();
    }

    /** Forgets what was found. */
    public void resetFindings() {
        api().reset();
    }

    /** @throws AssertionError if anything was found; it names each */
    public void assertNoFindings() {
        List<ContainerFinding> findings = findings();
        if (!findings.isEmpty()) {
            throw new AssertionError(findings.size() + " findings:\n"
                    + findings.stream().map(ContainerFinding::toString).collect(Collectors.joining("\n")));
        }
    }

    private FindingsApi api() {
        return new FindingsApi(URI.create(getApiUrl()), token);
    }

    private static String randomToken() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
