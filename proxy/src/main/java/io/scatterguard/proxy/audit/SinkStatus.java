package io.scatterguard.proxy.audit;

/**
 * How one sink is doing, since the start.
 *
 * @param type {@code stdout}, {@code file} …, as in the configuration
 * @param written records it took
 * @param dropped records it never got: its queue was full, it failed, or closing took too long
 * @param errors how often it failed
 * @param waiting records in its queue now
 * @param capacity how many may wait there
 * @param peak the most that ever waited there
 */
public record SinkStatus(String type, long written, long dropped, long errors, int waiting, int capacity, int peak) {}
