package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.findings.ShapeTable;

/** {@code /api/v1/findings}: the shapes that were findings, the costliest first. */
public final class FindingsEndpoint implements Endpoint {
    private final ShapeTable shapes;

    public FindingsEndpoint(ShapeTable shapes) {
        this.shapes = shapes;
    }

    @Override
    public String path() {
        return "/api/v1/findings";
    }

    @Override
    public Answer answer(Question question) throws BadQuestionException {
        ShapeQuery query = ShapeQuery.of(question);
        return Answer.json(ShapeAnswers.findings(shapes.list(), query));
    }
}
