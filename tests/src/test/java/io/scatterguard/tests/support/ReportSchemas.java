package io.scatterguard.tests.support;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.xml.sax.SAXException;

/** What reports for other programs have to be: the schemas of {@code src/test/resources/reports}. */
public final class ReportSchemas {
    private static final String FOLDER = "/reports/";

    private ReportSchemas() {}

    /** What is wrong with JUnit's XML; empty if nothing. */
    public static List<String> wrongJUnit(String xml) {
        try (InputStream xsd = open("jenkins-junit.xsd")) {
            SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
            factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            Validator validator = factory.newSchema(new StreamSource(xsd)).newValidator();
            validator.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            validator.validate(new StreamSource(new StringReader(xml)));
            return List.of();
        } catch (SAXException e) {
            return List.of(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is wrong with a document of SARIF 2.1.0; empty if nothing. */
    public static List<String> wrongSarif(String json) {
        return Sarif.SCHEMA
                .validate(
                        json,
                        InputFormat.JSON,
                        context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Error::toString)
                .toList();
    }

    private static InputStream open(String name) {
        return Objects.requireNonNull(ReportSchemas.class.getResourceAsStream(FOLDER + name), name);
    }

    /** Read once: it is large. */
    private static final class Sarif {
        static final Schema SCHEMA = read();

        private static Schema read() {
            try (InputStream schema = open("sarif-2.1.0-rtm.5.json")) {
                return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_4)
                        .getSchema(schema);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
