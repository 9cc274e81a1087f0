package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.config.CollectionRule;

/**
 * A shard key found in a source.
 *
 * @param rule what it declares
 * @param origin where it stands, {@code path:line}
 */
public record Declaration(CollectionRule rule, String origin) {}
