package io.scatterguard.proxy.config;

import io.scatterguard.protocol.command.CommandName;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads what the {@code match} sections of rules and exemptions have in common. */
final class SelectorReader {
    private SelectorReader() {}

    static SelectorConfig selector(Section section) {
        List<String> namespaces = section.values("namespace", text -> "a glob on db.coll", Function.identity());
        List<CommandName> commands =
                section.values("commands", SelectorReader::expectedCommand, SelectorReader::parseCommand);
        ClientMatchConfig client = client(section);
        List<String> tags = section.values(
                "commentTag", text -> "a glob on a word of the comment, like test:*", SelectorReader::parseTag);
        TimeWindowConfig time = section.has("time") ? time(section.child("time")) : null;
        return section.build(() -> new SelectorConfig(namespaces, commands, client, tags, time))
                .orElse(SelectorConfig.ALL);
    }

    private static ClientMatchConfig client(Section section) {
        Optional<String> appName = section.text("appName");
        Optional<String> user = section.text("user");
        Optional<String> driver = section.text("driver");
        List<NetworkRange> addresses =
                section.values("clientAddress", text -> NetworkRange.EXPECTED, NetworkRange::parse);
        return section.build(() ->
                        new ClientMatchConfig(appName.orElse(null), user.orElse(null), driver.orElse(null), addresses))
                .orElse(ClientMatchConfig.ALL);
    }

    /** Null where it is wrong, which is reported. */
    private static @Nullable TimeWindowConfig time(Section section) {
        List<TimeWindowConfig.Day> days = section.choices("days", TimeWindowConfig.Day.class);
        Optional<Integer> from = section.value("from", TimeWindowConfig.FROM_EXPECTED, TimeWindowConfig::minute);
        Optional<Integer> to = section.value("to", TimeWindowConfig.TO_EXPECTED, TimeWindowConfig::minute);
        Optional<ZoneId> zone = section.value("zone", "a time zone like Europe/Berlin or UTC", ZoneId::of);
        if (section.isEmpty()) {
            section.problem("days", "nothing is given (expected: days, from or to; or no time)");
        }
        return section.build(() -> new TimeWindowConfig(
                        days.stream().map(TimeWindowConfig.Day::dayOfWeek).toList(),
                        from.orElse(0),
                        to.orElse(TimeWindowConfig.END_OF_DAY),
                        zone.orElse(ZoneOffset.UTC)))
                .orElse(null);
    }

    private static String parseTag(String text) {
        if (text.isBlank() || text.chars().anyMatch(c -> Character.isWhitespace(c) || c == ',' || c == ';')) {
            throw new IllegalArgumentException("not a word");
        }
        return text;
    }

    private static CommandName parseCommand(String text) {
        CommandName name = CommandName.of(text);
        if (name == CommandName.UNKNOWN) {
            throw new IllegalArgumentException("not a command");
        }
        return name;
    }

    private static String expectedCommand(String text) {
        List<String> known = Arrays.stream(CommandName.values())
                .filter(name -> name != CommandName.UNKNOWN)
                .map(CommandName::text)
                .toList();
        return "the name of a command"
                + NearestName.of(text, known)
                        .map(name -> "; did you mean \"" + name + "\"?")
                        .orElse(", like find or update");
    }
}
