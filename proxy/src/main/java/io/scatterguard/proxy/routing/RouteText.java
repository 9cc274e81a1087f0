package io.scatterguard.proxy.routing;

/** The prose of a route: which key fields are constrained, which are missing, why, and the nearest fix. */
public final class RouteText {
    private RouteText() {}
}
