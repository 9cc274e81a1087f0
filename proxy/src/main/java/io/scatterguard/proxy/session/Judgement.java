package io.scatterguard.proxy.session;

import io.scatterguard.proxy.policy.Verdict;
import io.scatterguard.proxy.routing.Route;

/** What came out of judging one command. */
public record Judgement(Route route, Verdict verdict) {}
