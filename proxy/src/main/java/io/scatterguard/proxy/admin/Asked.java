package io.scatterguard.proxy.admin;

import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A request as an endpoint sees it. Of a body no more is read than may be, whatever its length is said to be. */
record Asked(Context context, int maxBodyBytes) implements Question {
    @Override
    public @Nullable String parameter(String name) {
        return context.queryParam(name);
    }

    @Override
    public @Nullable String header(String name) {
        return context.header(name);
    }

    @Override
    public String body() throws BadQuestionException {
        if (context.req().getContentLengthLong() > maxBodyBytes) {
            throw tooLarge();
        }
        byte[] body;
        try {
            body = context.req().getInputStream().readNBytes(maxBodyBytes + 1);
        } catch (IOException e) {
            throw new BadQuestionException(
                    "the body ended before its end (expected: as many bytes as the header says)");
        }
        if (body.length > maxBodyBytes) {
            throw tooLarge();
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadQuestionException("the body is not UTF-8 (expected: text in UTF-8)");
        }
    }

    private BadQuestionException tooLarge() {
        return new BadQuestionException(
                Answer.TOO_LARGE, "the body is too large (expected: at most " + maxBodyBytes + " bytes)");
    }
}
