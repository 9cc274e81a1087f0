package io.scatterguard.proxy.tls;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads X.509 certificates from PEM, and says when they stop being good. */
final class Certificates {
    /** How long before its end a certificate is announced. */
    static final Duration ANNOUNCED = Duration.ofDays(14);

    private Certificates() {}

    /** All certificates in {@code file}, at least one. */
    static List<X509Certificate> all(TlsFile file) throws TlsException {
        List<X509Certificate> certificates = new ArrayList<>();
        if (!file.isPem()) {
            throw file.error("not PEM (expected: BEGIN CERTIFICATE blocks)");
        }
        for (Pem block : Pem.blocks(file)) {
            if (block.isCertificate()) {
                certificates.add(certificate(file, block));
            }
        }
        if (certificates.isEmpty()) {
            throw file.error("no certificate in it (expected: BEGIN CERTIFICATE blocks)");
        }
        return certificates;
    }

    private static X509Certificate certificate(TlsFile file, Pem block) throws TlsException {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(block.der()));
        } catch (CertificateException e) {
            throw file.error("a certificate in it cannot be read (was the file copied whole?)", e);
        }
    }

    /** What somebody should know of how long {@code certificate} is good, if anything. */
    static Optional<String> notice(X509Certificate certificate, Instant now) {
        Instant end = certificate.getNotAfter().toInstant();
        Instant start = certificate.getNotBefore().toInstant();
        String subject = certificate.getSubjectX500Principal().getName();
        if (end.isBefore(now)) {
            return Optional.of("the certificate of " + subject + " expired on " + date(end) + " (replace it)");
        } else if (start.isAfter(now)) {
            return Optional.of(
                    "the certificate of " + subject + " is good from " + date(start) + " only (is the clock right?)");
        } else if (end.isBefore(now.plus(ANNOUNCED))) {
            return Optional.of("the certificate of " + subject + " expires on " + date(end) + " (replace it)");
        }
        return Optional.empty();
    }

    private static LocalDate date(Instant instant) {
        return LocalDate.ofInstant(instant, ZoneOffset.UTC);
    }
}
