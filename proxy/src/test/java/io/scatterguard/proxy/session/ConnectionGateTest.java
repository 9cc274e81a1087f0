package io.scatterguard.proxy.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionGateTest {
    private final SessionCounters counters = new SessionCounters();
    private long nanos;

    @Test
    void inAllOnlySoManyAreLetIn() {
        ConnectionGate gate = gate(2, 0, 0);
        assertThat(gate.accepted()).isNull();
        assertThat(gate.accepted()).isNull();
        assertThat(gate.accepted()).isEqualTo(CloseCause.TOO_MANY_CONNECTIONS);
        counters.closed(CloseCause.TOO_MANY_CONNECTIONS);
        counters.closed(CloseCause.CLIENT_CLOSED);
        assertThat(gate.accepted()).isNull();
    }

    @Test
    void anAddressHasOnlySoManyAndOthersAreNotConcerned() throws UnknownHostException {
        ConnectionGate gate = gate(100, 2, 0);
        assertThat(gate.entered(address("10.0.0.1"))).isNull();
        assertThat(gate.entered(address("10.0.0.1"))).isNull();
        assertThat(gate.entered(address("10.0.0.1"))).isEqualTo(CloseCause.TOO_MANY_FROM_ADDRESS);
        assertThat(gate.entered(address("10.0.0.2"))).isNull();
        gate.left(address("10.0.0.1"));
        assertThat(gate.entered(address("10.0.0.1"))).isNull();
        assertThat(gate.entered(address("10.0.0.1"))).isEqualTo(CloseCause.TOO_MANY_FROM_ADDRESS);
    }

    @Test
    void addressesWithoutConnectionsAreForgotten() throws UnknownHostException {
        ConnectionGate gate = gate(100, 2, 0);
        gate.entered(address("10.0.0.1"));
        gate.entered(address("10.0.0.1"));
        gate.entered(address("10.0.0.1"));
        gate.left(address("10.0.0.1"));
        gate.left(address("10.0.0.1"));
        assertThat(gate.addresses()).isZero();
    }

    @Test
    void anIpv4AddressInIpv6IsTheSameClient() throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xff;
        mapped[12] = 10;
        mapped[15] = 1;
        InetAddress sixth = Inet6Address.getByAddress(null, mapped, -1);
        assertThat(sixth).isInstanceOf(Inet6Address.class);
        ConnectionGate gate = gate(100, 1, 0);
        assertThat(gate.entered(address("10.0.0.1"))).isNull();
        assertThat(gate.entered(sixth)).isEqualTo(CloseCause.TOO_MANY_FROM_ADDRESS);
        gate.left(sixth);
        assertThat(gate.entered(sixth)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"::1", "fe80::1", "::ffff:0:1", "1::ffff:a00:1"})
    void anyOtherIpv6AddressIsItself(String text) throws UnknownHostException {
        assertThat(ConnectionGate.plain(address(text))).isEqualTo(address(text));
    }

    @Test
    void anAddressConnectsOnlySoOften() throws UnknownHostException {
        ConnectionGate gate = gate(100, 0, 3);
        for (int i = 0; i < 3 * ConnectionLimits.BURST_SECONDS; i++) {
            assertThat(gate.entered(address("10.0.0.1")))
                    .as("of the burst: %d", i)
                    .isNull();
        }
        assertThat(gate.entered(address("10.0.0.1"))).isEqualTo(CloseCause.CONNECTION_RATE);
        assertThat(gate.entered(address("10.0.0.2"))).isNull();
        nanos += TimeUnit.SECONDS.toNanos(1);
        for (int i = 0; i < 3; i++) {
            assertThat(gate.entered(address("10.0.0.1"))).isNull();
        }
        assertThat(gate.entered(address("10.0.0.1"))).isEqualTo(CloseCause.CONNECTION_RATE);
        nanos += TimeUnit.DAYS.toNanos(1);
        for (int i = 0; i < 3 * ConnectionLimits.BURST_SECONDS; i++) {
            assertThat(gate.entered(address("10.0.0.1"))).isNull();
        }
        assertThat(gate.entered(address("10.0.0.1"))).isEqualTo(CloseCause.CONNECTION_RATE);
    }

    @Test
    void whoIsRefusedForItsRateIsNotCountedAsOpen() throws UnknownHostException {
        ConnectionGate gate = gate(100, 100, 1);
        for (int i = 0; i < 2 * ConnectionLimits.BURST_SECONDS; i++) {
            if (gate.entered(address("10.0.0.1")) == null) {
                gate.left(address("10.0.0.1"));
            }
        }
        assertThat(gate.addresses()).isZero();
    }

    @Test
    void impossibleLimitsAreAnError() {
        assertThatThrownBy(() -> new ConnectionLimits(0, 0, 0)).hasMessageContaining("connection limits: 0, 0, 0");
        assertThatThrownBy(() -> new ConnectionLimits(1, -1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ConnectionLimits(1, 0, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private ConnectionGate gate(int all, int perAddress, int rate) {
        return new ConnectionGate(new ConnectionLimits(all, perAddress, rate), counters, () -> nanos);
    }

    private static InetAddress address(String text) throws UnknownHostException {
        return InetAddress.getByName(text);
    }
}
