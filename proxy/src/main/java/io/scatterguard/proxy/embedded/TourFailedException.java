package io.scatterguard.proxy.embedded;

/** A step of the {@link DemoTour} went otherwise than expected. The message names the step and both outcomes. */
public final class TourFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TourFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    TourFailedException(String message) {
        super(message);
    }
}
