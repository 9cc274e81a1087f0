package io.scatterguard.proxy.catalog;

import java.util.List;

/**
 * What one look at the metadata gave: a snapshot, and what had to be left out of it.
 *
 * @param problems empty when everything was consistent
 */
public record CatalogLoad(CatalogSnapshot snapshot, List<CatalogProblem> problems) {
    public CatalogLoad {
        problems = List.copyOf(problems);
    }
}
