package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.findings.ShapeListing;
import io.scatterguard.proxy.findings.ShapeTable;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /api/v1/findings/reset}: forgets the shapes, so that counting begins anew. */
public final class FindingsResetEndpoint implements Endpoint {
    private static final Logger LOG = LoggerFactory.getLogger(FindingsResetEndpoint.class);

    private final ShapeTable shapes;

    public FindingsResetEndpoint(ShapeTable shapes) {
        this.shapes = shapes;
    }

    @Override
    public Method method() {
        return Method.POST;
    }

    @Override
    public String path() {
        return "/api/v1/findings/reset";
    }

    @Override
    public Access access() {
        return Access.CHANGE;
    }

    @Override
    public Answer answer(Question question) {
        ShapeListing cleared = shapes.reset();
        LOG.info(
                "findings reset: shapes={} commands={} findings={}",
                cleared.shapes().size(),
                cleared.total().commands(),
                cleared.total().findings());
        return Answer.json(Map.of("since", cleared.at(), "cleared", ShapeAnswers.summary(cleared)));
    }
}
