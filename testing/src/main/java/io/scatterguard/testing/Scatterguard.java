package io.scatterguard.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Puts a proxy in front of the database of a test class, or of one test, and fails the test that broadcast. The proxy runs in
 * this JVM; all classes with equal settings share one, until the test run ends.
 *
 * <p>Tests below this annotation run one after another, whatever else runs in parallel with them: which of two that run at the
 * same time broadcast, one proxy could not tell, and the system property is one for the whole JVM.
 *
 * <p>Files are looked for from the working directory, which is the module's folder with Maven and Gradle, and then on the class
 * path. See {@code docs/testing.md}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(ScatterguardExtension.class)
@ResourceLock(Scatterguard.LOCK)
public @interface Scatterguard {
    /** The resource that tests in front of a proxy lock. */
    String LOCK = "io.scatterguard.testing.Scatterguard";

    /** The file of declared shard keys ({@code docs/sharding-rules.md}); none by default. */
    String rules() default "";

    /**
     * A configuration ({@code docs/configuration.md}) whose policy, sharding rules, limits and {@code server.tls} count; its
     * listeners and audit do not. By default every broadcast that is certain is a finding.
     */
    String config() default "";

    /**
     * The connection string of the database behind the proxy, with {@code ${NAME}} or {@code ${file:…}} in the place of a
     * password. By default that of the system property {@code scatterguard.upstream}, else of the environment variable {@code
     * SCATTERGUARD_UPSTREAM}, else an embedded server that starts empty.
     */
    String upstream() default "";

    /** The file of known shapes ({@code scatterguard baseline accept}); none by default. */
    String baseline() default "";

    /** Which findings fail a test. */
    FailOn failOn() default FailOn.NEW;

    /** What becomes of commands on collections whose metadata cannot be read. */
    OnUnknown onUnknown() default OnUnknown.REFUSE;

    /** Whether what the policy refuses is refused, so that the application gets the error; by default all passes and is reported. */
    boolean enforce() default false;

    /** The {@code mongos} release to judge by, like {@code 6.0}; by default that of the database. */
    String routerVersion() default "";

    /** The database in the connection string that the tests get; by default that of the upstream's. */
    String database() default "";

    /** The system property that holds the connection string while the tests run; empty for none. */
    String property() default "scatterguard.uri";
}
