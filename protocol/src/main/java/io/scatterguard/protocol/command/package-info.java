/**
 * What a message asks for: the command as a view, its name, its namespace, who sent it, and our own error reply.
 *
 * <p>May use: {@code wire}, {@code bson}.
 */
@NullMarked
package io.scatterguard.protocol.command;

import org.jspecify.annotations.NullMarked;
