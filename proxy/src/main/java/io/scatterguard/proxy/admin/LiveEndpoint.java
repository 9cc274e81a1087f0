package io.scatterguard.proxy.admin;

import java.util.Map;

/** {@code /livez}: that the process answers. */
public final class LiveEndpoint implements Endpoint {
    @Override
    public String path() {
        return "/livez";
    }

    @Override
    public Access access() {
        return Access.OPEN;
    }

    @Override
    public Answer answer(Question question) {
        return Answer.json(Map.of("alive", true));
    }
}
