package io.scatterguard.proxy.catalog;

/**
 * Metadata that contradicts itself or cannot be understood. The message names the namespace and what was expected; it
 * never holds the values of chunk bounds, because those are data of the application.
 */
public final class CatalogException extends RuntimeException {
    public CatalogException(String message) {
        super(message);
    }
}
