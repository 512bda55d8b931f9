package dev.rocport.verify;

import dev.rocport.device.check.Check;
import dev.rocport.device.isa.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program with a mistake in it, and the lines that a check has to name. With the macro {@code
 * MENDED} it is the same program without the mistake.
 *
 * @param source the only file of its own
 * @param lines where a finding has to be: {@code // finding: CHECK} stands there
 * @param others where its second place may be: {@code // other: CHECK}
 * @param ranks MPI processes: {@code // ranks: N}; 0 without MPI
 * @param gpus that each process sees: {@code // gpus: N}, else 1
 * @param lanes of the waves that it is written for: {@code // lanes: N}; 0 for any
 * @param blind whether its author had not seen the checks: a line says so
 */
record PlantedBug(
    Path source,
    Check check,
    SortedSet<Integer> lines,
    SortedSet<Integer> others,
    int ranks,
    int gpus,
    int lanes,
    boolean blind) {
  private static final String BLIND = "// Written without knowledge of the checks.";
  private static final Pattern MARK = Pattern.compile("//.*\\b(finding|other): (\\w+)");
  private static final Pattern NUMBER = Pattern.compile("// (ranks|gpus|lanes): (\\d+)");

  /**
   * Reads the marks of a source.
   *
   * @param check what the folder is named after
   * @throws VerifyException where no line is marked for it
   */
  static PlantedBug read(Path source, Check check) throws IOException, VerifyException {
    SortedSet<Integer> lines = new TreeSet<>();
    SortedSet<Integer> others = new TreeSet<>();
    int ranks = 0;
    int gpus = 1;
    int lanes = 0;
    List<String> text = Files.readAllLines(source);
    for (int i = 0; i < text.size(); i++) {
      Matcher mark = MARK.matcher(text.get(i));
      if (mark.find() && mark.group(2).equals(check.word())) {
        (mark.group(1).equals("finding") ? lines : others).add(i + 1);
      }
      Matcher number = NUMBER.matcher(text.get(i));
      if (number.find()) {
        int value = Integer.parseInt(number.group(2));
        switch (number.group(1)) {
          case "ranks" -> ranks = value;
          case "gpus" -> gpus = value;
          default -> lanes = value;
        }
      }
    }
    if (lines.isEmpty()) {
      throw new VerifyException(source + ": no line has the mark // finding: " + check.word());
    }
    return new PlantedBug(source, check, lines, others, ranks, gpus, lanes, text.contains(BLIND));
  }

  /** The name of the program. */
  String name() {
    String file = String.valueOf(source.getFileName());
    return file.substring(0, file.lastIndexOf('.'));
  }

  /** Whether it is written for waves as those of a GPU are, which the device need not know. */
  boolean runsOn(String gpu) {
    return lanes == 0 || Target.named(gpu).stream().allMatch(t -> t.lanes() == lanes);
  }

  /** Whether a place of a finding, {@code FILE:LINE}, is one of the marked lines. */
  boolean isAt(String place) {
    return names(place, lines) || names(place, others);
  }

  private boolean names(String place, SortedSet<Integer> marked) {
    String file = String.valueOf(source.getFileName());
    return marked.stream().map(l -> file + ":" + l).anyMatch(place::endsWith);
  }

  /** The programs of a folder with a folder for each check, in order. */
  static List<PlantedBug> all(Path folder) throws IOException, VerifyException {
    List<PlantedBug> bugs = new ArrayList<>();
    for (Check check : Check.ALL) {
      Path of = folder.resolve(check.word());
      if (!Files.isDirectory(of)) {
        continue;
      }
      try (var list = Files.list(of)) {
        for (Path source : list.filter(f -> f.toString().endsWith(".hip")).sorted().toList()) {
          bugs.add(read(source, check));
        }
      }
    }
    return bugs;
  }
}
