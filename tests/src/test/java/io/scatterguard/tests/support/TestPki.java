package io.scatterguard.tests.support;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** A certificate authority of one test, which issues certificates and writes them as files into a folder. */
public final class TestPki {
    /** Of every PKCS#12 file it writes. */
    public static final String PASSWORD = "changeit";

    private final Path folder;
    private final String name;
    private final X509Bundle ca;

    /** A new authority called {@code name}, which is also the prefix of its files' names. */
    public TestPki(Path folder, String name) {
        this.folder = folder;
        this.name = name;
        this.ca = made(() -> new CertificateBuilder()
                .ecp256()
                .subject("CN=" + name + " CA,O=tests")
                .setIsCertificateAuthority(true)
                .notBefore(Instant.now().minus(Duration.ofDays(30)))
                .notAfter(Instant.now().plus(Duration.ofDays(365)))
                .buildSelfSigned());
    }

    /** A certificate of a server that is called {@code localhost}, 127.0.0.1 and ::1. */
    public X509Bundle server() {
        return issue(
                "CN=server,O=tests",
                builder -> builder.addSanDnsName("localhost")
                        .addSanIpAddress("127.0.0.1")
                        .addSanIpAddress("::1")
                        .addExtendedKeyUsageServerAuth());
    }

    public X509Bundle client(String user) {
        return issue("CN=" + user + ",O=tests", CertificateBuilder::addExtendedKeyUsageClientAuth);
    }

    /** A certificate that is good for a year, unless {@code more} says otherwise. */
    public X509Bundle issue(String subject, UnaryOperator<CertificateBuilder> more) {
        return made(() -> more.apply(new CertificateBuilder()
                        .ecp256()
                        .subject(subject)
                        .notBefore(Instant.now().minus(Duration.ofDays(20)))
                        .notAfter(Instant.now().plus(Duration.ofDays(365))))
                .buildIssuedBy(ca));
    }

    /** The file with the authority's own certificate. */
    public Path caFile() {
        return write("ca.pem", ca.getCertificatePEM());
    }

    /** A file with {@code bundle}'s certificate alone. */
    public Path certificateFile(String file, X509Bundle bundle) {
        return write(file, bundle.getCertificatePEM());
    }

    /** A file with {@code bundle}'s key alone, as unencrypted PKCS#8. */
    public Path keyFile(String file, X509Bundle bundle) {
        return write(file, bundle.getPrivateKeyPEM());
    }

    /** A file with both, as {@code certificateKeyFile} of mongod. */
    public Path combinedFile(String file, X509Bundle bundle) {
        return write(file, bundle.getCertificatePEM() + bundle.getPrivateKeyPEM());
    }

    /** A PKCS#12 file with both and {@link #PASSWORD}. */
    public Path keyStoreFile(String file, X509Bundle bundle) {
        Path path = folder.resolve(name + "-" + file);
        try (OutputStream out = Files.newOutputStream(path)) {
            bundle.toKeyStore(PASSWORD.toCharArray()).store(out, PASSWORD.toCharArray());
            return path;
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** A context of the JVM that shows {@code shown} (null: nothing) to anybody who asks, and trusts this authority alone. */
    public SSLContext context(X509Bundle shown) {
        return made(() -> {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    shown == null ? null : new KeyManager[] {new InsistingKey(shown)},
                    new TrustManager[] {ca.toTrustManager()},
                    null);
            return context;
        });
    }

    private Path write(String file, String content) {
        try {
            return Files.writeString(folder.resolve(name + "-" + file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T made(Making<T> making) {
        try {
            return making.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private interface Making<T> {
        T run() throws Exception;
    }
}
