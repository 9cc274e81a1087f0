/**
 * BSON as views over borrowed bytes: reading without copying, ordering and hashing as the server does it.
 *
 * <p>May use: nothing else of this project.
 */
@NullMarked
package io.scatterguard.protocol.bson;

import org.jspecify.annotations.NullMarked;
