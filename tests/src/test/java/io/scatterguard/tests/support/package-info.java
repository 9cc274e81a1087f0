/**
 * What the end-to-end tests are made of: a scripted mongos, a raw wire client, real driver processes, and the checks
 * that watch every test (leaked buffers, blocking calls).
 *
 * <p>The wire codec here shares nothing with {@code io.scatterguard.protocol}: it is the independent check of it. Uses
 * {@code java.net}, {@code org.bson} and JUnit only.
 */
@NullMarked
package io.scatterguard.tests.support;

import org.jspecify.annotations.NullMarked;
