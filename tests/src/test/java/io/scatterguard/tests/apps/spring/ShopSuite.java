package io.scatterguard.tests.apps.spring;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.mongodb.core.MongoTemplate;

/**
 * What all suites of the shop share: the application, and whose test a query is of. Queries of a template say it in their comment.
 * Those of a repository cannot, so that the application's name does.
 */
abstract class ShopSuite {
    private AnnotationConfigApplicationContext context;
    OrderRepository repository;
    OrderQueries queries;

    @BeforeEach
    void start(TestInfo test) {
        String name = "test:" + getClass().getSimpleName() + "#"
                + test.getTestMethod().orElseThrow().getName();
        System.setProperty("shop.appName", "shop-spring " + name);
        context = new AnnotationConfigApplicationContext(ShopContext.class);
        repository = context.getBean(OrderRepository.class);
        queries = new OrderQueries(context.getBean(MongoTemplate.class), () -> name);
    }

    @AfterEach
    void stop() {
        context.close();
    }
}
