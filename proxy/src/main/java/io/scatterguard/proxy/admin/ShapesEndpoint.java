package io.scatterguard.proxy.admin;

import io.scatterguard.proxy.findings.ShapeTable;

/** {@code /api/v1/shapes}: all shapes that are known, the most frequent first. */
public final class ShapesEndpoint implements Endpoint {
    private final ShapeTable shapes;

    public ShapesEndpoint(ShapeTable shapes) {
        this.shapes = shapes;
    }

    @Override
    public String path() {
        return "/api/v1/shapes";
    }

    @Override
    public Answer answer(Question question) throws BadQuestionException {
        ShapeQuery query = ShapeQuery.of(question);
        return Answer.json(ShapeAnswers.shapes(shapes.list(), query));
    }
}
