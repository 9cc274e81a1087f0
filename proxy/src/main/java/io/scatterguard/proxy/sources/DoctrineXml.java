package io.scatterguard.proxy.sources;

import io.scatterguard.proxy.sources.Findings.KeyField;
import io.scatterguard.proxy.sources.Findings.Target;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Doctrine MongoDB ODM's {@code <shard-key>} in a mapping in XML. Documents with a DTD are refused, and nothing outside of
 * the file is read.
 */
final class DoctrineXml implements SourceDeclarations {
    private static final XMLInputFactory FACTORY = factory();

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }

    /** What was read of the {@code <document>} that is open. */
    private static final class Document {
        private final Target target;
        private final List<KeyField> key = new ArrayList<>();
        private @Nullable String origin;
        private boolean unique;

        Document(Target target) {
            this.target = target;
        }
    }

    @Override
    public boolean reads(String fileName) {
        return fileName.endsWith(".xml");
    }

    @Override
    public void read(SourceFile file, Findings found) {
        if (!file.text().contains("shard-key")) {
            return;
        }
        try {
            XMLStreamReader xml = FACTORY.createXMLStreamReader(new StringReader(file.text()));
            Document document = null;
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    document = start(xml, file, document);
                } else if (event == XMLStreamConstants.END_ELEMENT
                        && xml.getLocalName().equals("document")) {
                    end(document, found);
                    document = null;
                }
            }
        } catch (XMLStreamException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNumber();
            found.unreadable(file.path() + ":" + line, "shard-key: not XML that can be read");
        }
    }

    private static @Nullable Document start(XMLStreamReader xml, SourceFile file, @Nullable Document open) {
        switch (xml.getLocalName()) {
            case "document" -> {
                String name = attribute(xml, "name", "");
                String shortName = name.substring(name.lastIndexOf('\\') + 1);
                return new Document(
                        new Target(xml.getAttributeValue(null, "db"), attribute(xml, "collection", shortName), false));
            }
            case "shard-key" -> {
                if (open != null) {
                    open.origin = file.path() + ":" + xml.getLocation().getLineNumber();
                    open.unique = attribute(xml, "unique", "false").equals("true");
                }
            }
            case "key" -> {
                if (open != null && open.origin != null) {
                    boolean hashed = attribute(xml, "order", "asc").equals("hashed");
                    open.key.add(new KeyField(attribute(xml, "name", ""), hashed));
                }
            }
            default -> {}
        }
        return open;
    }

    private static String attribute(XMLStreamReader xml, String name, String fallback) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? fallback : value;
    }

    private static void end(@Nullable Document document, Findings found) {
        if (document != null && document.origin != null) {
            Target target = document.target;
            found.declare(
                    document.origin, new Target(target.database(), target.collection(), document.unique), document.key);
        }
    }
}
