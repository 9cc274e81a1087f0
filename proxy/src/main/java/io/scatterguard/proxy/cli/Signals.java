package io.scatterguard.proxy.cli;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals of the operating system. The class for them is supported by no release and there in every one, so that it is looked up
 * at run time.
 */
final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

    /** What a shell says of a process that ended by SIGINT. */
    private static final int INTERRUPTED = 128 + 2;

    private Signals() {}

    /** Has the first SIGINT interrupt {@code thread}, and the second end the process at once. */
    static void onInterrupt(Thread thread) {
        AtomicBoolean again = new AtomicBoolean();
        on("INT", () -> {
            if (again.getAndSet(true)) {
                Runtime.getRuntime().halt(INTERRUPTED);
            }
            thread.interrupt();
        });
    }

    /**
     * Has {@code action} run on a thread of its own whenever the process gets the signal.
     *
     * @param name without {@code SIG}
     * @return false where that is not possible, as on Windows
     */
    static boolean on(String name, Runnable action) {
        return handled(name, action) != null;
    }

    /** Likewise, until what is returned is run: then the signal does again what it did before. */
    static Runnable take(String name, Runnable action) {
        Runnable giveBack = handled(name, action);
        return giveBack == null ? () -> {} : giveBack;
    }

    private static @Nullable Runnable handled(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        switch (method.getName()) {
                            case "handle" -> action.run();
                            case "hashCode" -> {
                                return System.identityHashCode(proxy);
                            }
                            case "equals" -> {
                                return proxy == arguments[0];
                            }
                            default -> {
                                return "handler of SIG" + name;
                            }
                        }
                        return null;
                    });
            Object one = signal.getConstructor(String.class).newInstance(name);
            Method handle = signal.getMethod("handle", signal, handler);
            Object before = handle.invoke(null, one, ours);
            return () -> giveBack(handle, one, before);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.debug("signal cannot be taken: signal={} error={}", name, e.toString());
            return null;
        }
    }

    private static void giveBack(Method handle, Object signal, Object before) {
        try {
            handle.invoke(null, signal, before);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.debug("signal cannot be given back: signal={} error={}", signal, e.toString());
        }
    }
}
