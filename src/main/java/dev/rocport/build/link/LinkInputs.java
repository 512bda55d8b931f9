package dev.rocport.build.link;

import dev.rocport.io.elf.ElfFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The files among the arguments of a link, and their content.
 *
 * @param arguments files and flags, in order
 * @param files the files only
 * @param relocatable whether a file has device code to link now
 * @param undefined symbols that no object defines
 */
public record LinkInputs(
    List<String> arguments, List<Path> files, boolean relocatable, SortedSet<String> undefined) {
  private static final String BUNDLE = "__CLANG_OFFLOAD_BUNDLE__hip";

  /**
   * Classifies the arguments of a link.
   *
   * @param objects additional objects that are not among the arguments
   */
  public static LinkInputs of(Path directory, List<Path> objects, List<String> arguments)
      throws IOException {
    List<Path> files = new ArrayList<>();
    for (String a : arguments) {
      if (!a.startsWith("-") && Files.isRegularFile(directory.resolve(a))) {
        files.add(directory.resolve(a).normalize());
      }
    }
    List<Path> all = new ArrayList<>(objects);
    all.addAll(files);
    boolean relocatable = false;
    SortedSet<String> wanted = new TreeSet<>();
    SortedSet<String> defined = new TreeSet<>();
    for (Path file : all) {
      if (file.toString().endsWith(".o")) {
        ElfFile elf = ElfFile.read(file);
        ObjectSymbols s = ObjectSymbols.of(elf.symbols());
        wanted.addAll(s.wanted());
        defined.addAll(s.strong());
        defined.addAll(s.weak());
        relocatable |= elf.sections().stream().anyMatch(x -> x.name().startsWith(BUNDLE));
      } else if (file.toString().endsWith(".a")) {
        // Section names appear uncompressed in every archive member.
        relocatable |=
            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(BUNDLE);
      }
    }
    wanted.removeAll(defined);
    return new LinkInputs(List.copyOf(arguments), files, relocatable, wanted);
  }
}
