package io.scatterguard.proxy.sources;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The plurals of English words, as two libraries make names of collections; both go by what a word ends in. */
final class Plurals {
    private static final Set<String> MONGOOSE_UNCOUNTABLE = Set.of(
            "advice",
            "energy",
            "excretion",
            "digestion",
            "cooperation",
            "health",
            "justice",
            "labour",
            "machinery",
            "equipment",
            "information",
            "pollution",
            "sewage",
            "paper",
            "money",
            "species",
            "series",
            "rain",
            "rice",
            "fish",
            "sheep",
            "moose",
            "deer",
            "news",
            "expertise",
            "status",
            "media");

    private static final Set<String> RAILS_UNCOUNTABLE = Set.of(
            "equipment", "information", "rice", "money", "species", "series", "fish", "sheep", "jeans", "police");

    private static final List<Ending> MONGOOSE = List.of(
            Ending.of("human", 0, "s"),
            Ending.of("man", 2, "en"),
            Ending.of("person", 4, "ople"),
            Ending.of("child", 0, "ren"),
            Ending.whole("ox", "oxen"),
            Ending.of("axis", 2, "es"),
            Ending.of("testis", 2, "es"),
            Ending.of("octopus", 2, "i"),
            Ending.of("virus", 2, "i"),
            Ending.of("alias", 0, "es"),
            Ending.of("status", 0, "es"),
            Ending.of("bus", 0, "es"),
            Ending.of("buffalo", 0, "es"),
            Ending.of("tomato", 0, "es"),
            Ending.of("potato", 0, "es"),
            Ending.of("tum", 2, "a"),
            Ending.of("ium", 2, "a"),
            Ending.of("sis", 2, "es"),
            Ending.notAfter("f", "fe", 2, "ves"),
            Ending.of("lf", 1, "ves"),
            Ending.of("rf", 1, "ves"),
            Ending.of("hive", 0, "s"),
            Ending.of("quy", 1, "ies"),
            Ending.notAfter("aeiouy", "y", 1, "ies"),
            Ending.of("x", 0, "es"),
            Ending.of("ch", 0, "es"),
            Ending.of("ss", 0, "es"),
            Ending.of("sh", 0, "es"),
            Ending.of("mouse", 4, "ice"),
            Ending.of("louse", 4, "ice"),
            Ending.of("quiz", 0, "zes"),
            Ending.whole("goose", "geese"),
            Ending.of("s", 0, ""));

    private static final List<Ending> RAILS = List.of(
            Ending.of("person", 4, "ople"),
            Ending.of("man", 2, "en"),
            Ending.of("child", 0, "ren"),
            Ending.of("sex", 0, "es"),
            Ending.of("quiz", 0, "zes"),
            Ending.whole("ox", "oxen"),
            Ending.of("mouse", 4, "ice"),
            Ending.of("louse", 4, "ice"),
            Ending.of("matrix", 2, "ices"),
            Ending.of("vertex", 2, "ices"),
            Ending.of("index", 2, "ices"),
            Ending.of("appendix", 2, "ices"),
            Ending.of("x", 0, "es"),
            Ending.of("ch", 0, "es"),
            Ending.of("ss", 0, "es"),
            Ending.of("sh", 0, "es"),
            Ending.of("quy", 1, "ies"),
            Ending.notAfter("aeiouy", "y", 1, "ies"),
            Ending.of("hive", 0, "s"),
            Ending.notAfter("f", "fe", 2, "ves"),
            Ending.of("lf", 1, "ves"),
            Ending.of("rf", 1, "ves"),
            Ending.of("sis", 2, "es"),
            Ending.of("tum", 2, "a"),
            Ending.of("ium", 2, "a"),
            Ending.of("buffalo", 0, "es"),
            Ending.of("tomato", 0, "es"),
            Ending.of("bus", 0, "es"),
            Ending.of("alias", 0, "es"),
            Ending.of("status", 0, "es"),
            Ending.of("octopus", 2, "i"),
            Ending.of("virus", 2, "i"),
            Ending.of("axis", 2, "es"),
            Ending.of("testis", 2, "es"),
            Ending.of("s", 0, ""));

    private Plurals() {}

    /**
     * What words of an ending become.
     *
     * @param notAfter letters that may not stand before it, one of which must be there; empty for any or none
     * @param cut how many letters are taken away
     */
    private record Ending(String ending, String notAfter, boolean isWhole, int cut, String added) {
        static Ending of(String ending, int cut, String added) {
            return new Ending(ending, "", false, cut, added);
        }

        static Ending whole(String word, String plural) {
            return new Ending(word, "", true, word.length(), plural);
        }

        static Ending notAfter(String letters, String ending, int cut, String added) {
            return new Ending(ending, letters, false, cut, added);
        }

        boolean fits(String word) {
            int before = word.length() - ending.length() - 1;
            boolean allowed = notAfter.isEmpty() || (before >= 0 && notAfter.indexOf(word.charAt(before)) < 0);
            return word.endsWith(ending) && allowed && (!isWhole || word.equals(ending));
        }

        String plural(String word) {
            return word.substring(0, word.length() - cut) + added;
        }
    }

    /** The collection of a model in mongoose, from the model's name. */
    static String mongoose(String model) {
        String word = model.toLowerCase(Locale.ROOT);
        boolean letter =
                !word.isEmpty() && word.charAt(word.length() - 1) >= 'a' && word.charAt(word.length() - 1) <= 'z';
        return MONGOOSE_UNCOUNTABLE.contains(word) || (!letter && !word.isEmpty()) ? word : plural(word, MONGOOSE);
    }

    /** The plural of a word in Rails, of small letters. */
    static String rails(String word) {
        return RAILS_UNCOUNTABLE.contains(word) ? word : plural(word, RAILS);
    }

    private static String plural(String word, List<Ending> endings) {
        return endings.stream()
                .filter(ending -> ending.fits(word))
                .findFirst()
                .map(ending -> ending.plural(word))
                .orElse(word + "s");
    }
}
