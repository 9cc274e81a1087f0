package io.scatterguard.proxy.net;

import io.scatterguard.protocol.codec.RequestBudget;
import io.scatterguard.proxy.session.ConnectionGate;

/**
 * The bounds that hold for all listeners of the process together.
 *
 * @param gate decides which connections are let in
 * @param budget where large requests reserve their bytes
 */
public record SharedLimits(ConnectionGate gate, RequestBudget budget) {}
