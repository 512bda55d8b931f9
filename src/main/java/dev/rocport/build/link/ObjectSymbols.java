package dev.rocport.build.link;

import dev.rocport.io.elf.ElfFile;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Defined and undefined symbols of an object.
 *
 * @param strong symbols with one definition
 * @param weak symbols with several possible definitions: inline functions, templates
 * @param wanted undefined symbols, except weak ones
 * @param hasInitialisers whether it runs code before {@code main}
 */
public record ObjectSymbols(
    SortedSet<String> strong,
    SortedSet<String> weak,
    SortedSet<String> wanted,
    boolean hasInitialisers) {

  public static ObjectSymbols of(Iterable<ElfFile.Symbol> symbols) {
    SortedSet<String> strong = new TreeSet<>();
    SortedSet<String> weak = new TreeSet<>();
    SortedSet<String> wanted = new TreeSet<>();
    boolean initialisers = false;
    for (ElfFile.Symbol s : symbols) {
      switch (s.binding()) {
        case LOCAL -> initialisers |= s.name().startsWith("_GLOBAL__sub_I_");
        case STRONG -> (s.defined() ? strong : wanted).add(s.name());
        case WEAK -> {
          if (s.defined()) {
            weak.add(s.name());
          }
        }
      }
    }
    return new ObjectSymbols(strong, weak, wanted, initialisers);
  }

  boolean hasMain() {
    return strong.contains("main");
  }
}
