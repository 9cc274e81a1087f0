package io.scatterguard.tests.support;

import io.netty.pkitesting.X509Bundle;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Shows its certificate to whoever asks for one, be its authority among those the peer accepts or not. */
final class InsistingKey extends X509ExtendedKeyManager {
    private static final String ALIAS = "key";

    private final X509Bundle bundle;

    InsistingKey(X509Bundle bundle) {
        this.bundle = bundle;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
        return ALIAS;
    }

    @Override
    public String chooseEngineClientAlias(String[] keyType, Principal[] issuers, SSLEngine engine) {
        return ALIAS;
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return "EC".equals(keyType) ? new String[] {ALIAS} : null;
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return "EC".equals(keyType) ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return bundle.getCertificatePath();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return bundle.getKeyPair().getPrivate();
    }
}
