package io.scatterguard.tests.support;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;

/**
 * An application that {@code exec} runs: sends the commands among its arguments to {@code MONGODB_URI}, on the database
 * {@code shop}, and prints {@code ok} or the code of the error for each. Other arguments are {@code GET} and {@code POST} with the
 * path of the API that follows, and {@code hold}: prints {@code holding} and stays, with its connection open. Ends with 9 after an
 * error.
 */
public final class ExecClient {
    private static final int FAILED = 9;

    private ExecClient() {}

    public static void main(String[] arguments) throws Exception {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(System.getenv("MONGODB_URI")))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(30, TimeUnit.SECONDS))
                .build();
        boolean failed = false;
        try (MongoClient client = MongoClients.create(settings)) {
            for (int i = 0; i < arguments.length; i++) {
                String argument = arguments[i];
                switch (argument) {
                    case "GET", "POST" -> System.out.println(api(argument, arguments[++i]));
                    case "hold" -> {
                        System.out.println("holding");
                        Thread.currentThread().join();
                    }
                    default -> failed |= !sent(client, BsonDocument.parse(argument));
                }
            }
        }
        System.exit(failed ? FAILED : 0);
    }

    private static boolean sent(MongoClient client, BsonDocument command) {
        try {
            client.getDatabase("shop").runCommand(command);
            System.out.println("ok");
            return true;
        } catch (MongoCommandException e) {
            System.out.println(e.getErrorCode());
            return false;
        }
    }

    private static String api(String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("SCATTERGUARD_API") + path))
                .header("Authorization", "Bearer " + System.getenv("SCATTERGUARD_TOKEN"))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        String body = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        return BsonDocument.parse(body).toJson();
    }
}
