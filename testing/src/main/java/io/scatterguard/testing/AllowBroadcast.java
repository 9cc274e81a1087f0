package io.scatterguard.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a test, or all tests of a class, have findings. They are published as a report entry of the test instead. For what is known
 * in production too, a baseline or an exemption of the policy is the better place.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AllowBroadcast {
    /** Why, in a sentence; not blank. */
    String reason();

    /** Who answers for it. */
    String owner() default "";

    /** The last day on which it counts, like {@code 2027-03-31}, by UTC; empty for no end. */
    String until() default "";

    /** The findings that it is about, by id; all by default. */
    String[] ids() default {};
}
