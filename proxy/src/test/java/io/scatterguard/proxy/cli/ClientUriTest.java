package io.scatterguard.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoCredential;
import io.scatterguard.proxy.config.HostAndPort;
import io.scatterguard.proxy.config.SecretUri;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientUriTest {
    private static final HostAndPort PROXY = new HostAndPort("127.0.0.1", 4711);

    private static ClientUri of(String uri) {
        MongoCredential credential = new ConnectionString(uri).getCredential();
        return ClientUri.of(SecretUri.of(uri), credential == null ? null : credential.getSource());
    }

    private static String at(String uri, @Nullable String database) {
        return of(uri).at(PROXY, database);
    }

    private static MongoCredential credential(String uri, @Nullable String database) {
        MongoCredential credential = new ConnectionString(at(uri, database)).getCredential();
        assertThat(credential).as(uri).isNotNull();
        return credential;
    }

    @ParameterizedTest
    @CsvSource({
        "mongodb://a, mongodb://127.0.0.1:4711/",
        "mongodb://a:27018/, mongodb://127.0.0.1:4711/",
        "mongodb://[::1]:27018/shop, mongodb://127.0.0.1:4711/shop",
        "mongodb://[fe80::1], mongodb://127.0.0.1:4711/",
        "'mongodb://a,b:27018,[::1]:3/shop?replicaSet=rs0&w=majority', mongodb://127.0.0.1:4711/shop?w=majority",
        "mongodb://a/?REPLICASET=rs0, mongodb://127.0.0.1:4711/",
        "mongodb://a/my%2Dshop, mongodb://127.0.0.1:4711/my%2Dshop",
        "mongodb://app:p%40ss%3A%2F@a/shop, mongodb://app:p%40ss%3A%2F@127.0.0.1:4711/shop",
        "mongodb://a/?appName=my%26app, mongodb://127.0.0.1:4711/?appName=my%26app"
    })
    void onlyTheHostsAreExchanged(String uri, String expected) {
        assertThat(at(uri, null)).isEqualTo(expected);
    }

    /** They are about the connection that the proxy makes, or would lead a driver past the proxy. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "replicaSet=rs0",
                "directConnection=true",
                "loadBalanced=false",
                "tls=true",
                "ssl=true",
                "tlsInsecure=true",
                "tlsCAFile=/ca.pem",
                "tlsAllowInvalidCertificates=true",
                "compressors=zlib",
                "zlibCompressionLevel=3",
                "localThresholdMS=5",
                "srvMaxHosts=3",
                "proxyHost=socks",
                "proxyPort=1080",
                "proxyUsername=u",
                "proxyPassword=p"
            })
    void whatIsAboutTheWayToTheDatabaseIsLeftOut(String option) {
        String uri = "mongodb://a/shop?readPreference=secondaryPreferred&" + option + "&retryWrites=false";
        SecretUri secret = SecretUri.of(uri);
        String expected = "mongodb://127.0.0.1:4711/shop?readPreference=secondaryPreferred&retryWrites=false";
        assertThat(ClientUri.of(secret, null).at(PROXY, null)).isEqualTo(expected);
        SecretUri alone = SecretUri.of("mongodb://a/?" + option.toUpperCase(Locale.ROOT));
        assertThat(ClientUri.of(alone, null).at(PROXY, null)).isEqualTo("mongodb://127.0.0.1:4711/");
    }

    @Test
    void repeatedAndOddlySeparatedOptionsStay() {
        assertThat(at("mongodb://a/?readPreference=nearest;readPreferenceTags=dc:ny&readPreferenceTags=", null))
                .isEqualTo("mongodb://127.0.0.1:4711/?readPreference=nearest&readPreferenceTags=dc:ny"
                        + "&readPreferenceTags=");
    }

    @Test
    void whoseUserItIsStaysTheSameInAnotherDatabase() {
        assertThat(at("mongodb://a/shop?w=1", "other")).isEqualTo("mongodb://127.0.0.1:4711/other?w=1");
        assertThat(at("mongodb://a", "my shop/ü")).isEqualTo("mongodb://127.0.0.1:4711/my%20shop%2F%C3%BC");
        for (String uri : List.of(
                "mongodb://app:pw@a/",
                "mongodb://app:pw@a/shop",
                "mongodb://app:pw@a/shop?w=1",
                "mongodb://app:pw@a/my%2Dshop",
                "mongodb://app:pw@a/shop?authSource=users",
                "mongodb://app:pw@a/shop?AUTHSOURCE=users&authMechanism=SCRAM-SHA-256")) {
            assertThat(credential(uri, "other"))
                    .as(uri)
                    .isEqualTo(new ConnectionString(uri).getCredential())
                    .isEqualTo(credential(uri, null));
            assertThat(new ConnectionString(at(uri, "other")).getDatabase()).isEqualTo("other");
        }
    }

    /** Their users are in no database, and drivers turn another source than {@code $external} down. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://CN%3Dapp@a/shop?authMechanism=MONGODB-X509",
                "mongodb://app@a/shop?authMechanism=GSSAPI",
                "mongodb://key:secret@a/shop?authMechanism=MONGODB-AWS",
                "mongodb://app:pw@a/?authMechanism=PLAIN"
            })
    void mechanismsWithoutADatabaseStayWithoutOne(String uri) {
        assertThat(credential(uri, "other").getSource())
                .isEqualTo(new ConnectionString(uri).getCredential().getSource());
    }

    /** A plain connection string has TLS off and nothing of what the DNS said. */
    @Test
    void theDnsIsNotAskedAgain() {
        SecretUri uri = SecretUri.of("mongodb+srv://app:pw@cluster.example.net/shop?w=majority");
        assertThat(ClientUri.of(uri, "users").at(PROXY, null))
                .isEqualTo("mongodb://app:pw@127.0.0.1:4711/shop?w=majority&authSource=users");
        SecretUri own = SecretUri.of("mongodb+srv://app:pw@cluster.example.net/?authSource=mine");
        assertThat(ClientUri.of(own, "users").at(PROXY, "other"))
                .isEqualTo("mongodb://app:pw@127.0.0.1:4711/other?authSource=mine");
        SecretUri nobody = SecretUri.of("mongodb+srv://cluster.example.net/?srvServiceName=db");
        assertThat(ClientUri.of(nobody, null).at(PROXY, null)).isEqualTo("mongodb://127.0.0.1:4711/");
    }

    @Test
    void aPasswordIsASecretAndAUserIsNot() {
        assertThat(ClientUri.plain().isSecret()).isFalse();
        assertThat(ClientUri.plain().at(PROXY, null)).isEqualTo("mongodb://127.0.0.1:4711/");
        assertThat(of("mongodb://a/?w=1").isSecret()).isFalse();
        assertThat(of("mongodb://CN%3Dapp@a/?authMechanism=MONGODB-X509").isSecret())
                .isFalse();
        assertThat(of("mongodb://app:pw@a/").isSecret()).isTrue();
        assertThat(of("mongodb://key:secret@a/?authMechanism=MONGODB-AWS"
                                + "&authMechanismProperties=AWS_SESSION_TOKEN:sesame")
                        .isSecret())
                .isTrue();
        assertThat(of("mongodb://app:sesame@a/shop?w=1")).hasToString("ClientUri(***@shop)");
    }
}
