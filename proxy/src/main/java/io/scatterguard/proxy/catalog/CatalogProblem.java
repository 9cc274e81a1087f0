package io.scatterguard.proxy.catalog;

/**
 * Something in the metadata that could not be used, while the rest could.
 *
 * @param subject the namespace or database it concerns, or the {@code config} collection if it has no name
 * @param message what is wrong and what was expected; no bounds, no addresses
 */
public record CatalogProblem(String subject, String message) {}
