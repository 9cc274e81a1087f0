package io.scatterguard.proxy.tls;

import io.scatterguard.proxy.config.Secret;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** Reads private keys from PEM: PKCS#8, encrypted or not, and the unencrypted older forms of RSA and EC keys. */
final class PrivateKeys {
    private static final String TO_PKCS8 = "openssl pkcs8 -topk8 -in old.key -out new.key";
    /** In the order of how usual they are; PKCS#8 says which it is, and each factory turns down the others. */
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    /** PBES2 of PKCS#5; Java names the scheme only in the parameters. */
    private static final String PBES2 = "1.2.840.113549.1.5.13";

    private PrivateKeys() {}

    /** The first private key in {@code file}. */
    static PrivateKey first(TlsFile file, @Nullable Secret password) throws TlsException {
        for (Pem block : Pem.blocks(file)) {
            if (block.isPrivateKey()) {
                return key(file, block, password);
            }
        }
        throw file.error("no private key in it (expected: a BEGIN PRIVATE KEY block; where the key is in a file of"
                + " its own, name that by \"key\")");
    }

    private static PrivateKey key(TlsFile file, Pem block, @Nullable Secret password) throws TlsException {
        if (block.legacyEncrypted()) {
            throw file.error("its key is encrypted in a form from before PKCS#8 (convert it: " + TO_PKCS8 + ")");
        }
        try {
            return switch (block.label()) {
                case "PRIVATE KEY" -> decode(block.der());
                case "ENCRYPTED PRIVATE KEY" -> decode(decrypt(file, block.der(), password));
                case "RSA PRIVATE KEY" -> decode(Der.ofRsa(block.der()));
                case "EC PRIVATE KEY" -> decode(Der.ofEc(block.der()));
                default ->
                    throw file.error("a key of the kind \"" + block.label() + "\" (convert it: " + TO_PKCS8 + ")");
            };
        } catch (InvalidKeySpecException | IllegalArgumentException e) {
            throw file.error("its private key cannot be read (expected: an RSA, EC or EdDSA key in PKCS#8)", e);
        }
    }

    private static PrivateKey decode(byte[] pkcs8) throws InvalidKeySpecException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (GeneralSecurityException e) {
                // Another algorithm's: the next factory is asked.
            }
        }
        throw new InvalidKeySpecException("of no known algorithm");
    }

    private static byte[] decrypt(TlsFile file, byte[] der, @Nullable Secret password) throws TlsException {
        if (password == null) {
            throw file.error("its key is encrypted (expected: the password by \"keyPassword\")");
        }
        try {
            EncryptedPrivateKeyInfo encrypted = new EncryptedPrivateKeyInfo(der);
            AlgorithmParameters parameters = encrypted.getAlgParameters();
            String scheme = encrypted.getAlgName();
            if (parameters != null && (scheme.equals("PBES2") || scheme.equals(PBES2))) {
                scheme = parameters.toString();
            }
            PBEKeySpec chars = new PBEKeySpec(password.reveal().toCharArray());
            SecretKey key = SecretKeyFactory.getInstance(scheme).generateSecret(chars);
            Cipher cipher =
                    Cipher.getInstance(scheme); // By the scheme's own name, which getKeySpec(key) does not know.
            cipher.init(Cipher.DECRYPT_MODE, key, parameters);
            return encrypted.getKeySpec(cipher).getEncoded();
        } catch (InvalidKeyException | InvalidKeySpecException e) {
            throw wrongPassword(file, e);
        } catch (IOException | GeneralSecurityException e) {
            throw file.error(
                    "its key is encrypted in a form that Java does not know (convert it: " + TO_PKCS8 + ")", e);
        }
    }

    private static TlsException wrongPassword(TlsFile file, Exception cause) {
        return file.error("cannot be decrypted: the password is wrong (expected: the one of \"keyPassword\")", cause);
    }
}
