package io.scatterguard.tests.apps.spring;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.config.AbstractMongoClientConfiguration;
import org.springframework.data.mongodb.repository.config.EnableMongoRepositories;

/** The application's beans. Its name for the database is the property {@code shop.appName}. */
@Configuration
@EnableMongoRepositories(considerNestedRepositories = true)
class ShopContext extends AbstractMongoClientConfiguration {
    @Override
    protected String getDatabaseName() {
        return "shop";
    }

    @Override
    protected void configureClientSettings(MongoClientSettings.Builder settings) {
        settings.applyConnectionString(new ConnectionString(System.getenv("MONGODB_URI")))
                .applicationName(System.getProperty("shop.appName", "shop-spring"));
    }
}
