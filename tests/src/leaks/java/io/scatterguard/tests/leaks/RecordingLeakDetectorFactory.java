package io.scatterguard.tests.leaks;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;

/** Makes leak detectors that give what they find to {@link LeakReports} instead of a log. */
final class RecordingLeakDetectorFactory extends ResourceLeakDetectorFactory {
    @Override
    @SuppressWarnings("deprecation") // The one method the class requires; Netty ignores maxActive.
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
            Class<T> resource, int samplingInterval, long maxActive) {
        return new Detector<>(resource, samplingInterval);
    }

    @Override
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int samplingInterval) {
        return new Detector<>(resource, samplingInterval);
    }

    private static final class Detector<T> extends ResourceLeakDetector<T> {
        Detector(Class<T> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return true; // Not only where a logger would print it.
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            LeakReports.add(resourceType + " was not released:" + records);
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            LeakReports.add(resourceType + " was not released (no trace)");
        }
    }
}
