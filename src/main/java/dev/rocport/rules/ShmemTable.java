package dev.rocport.rules;

import dev.rocport.io.InvalidFileException;
import dev.rocport.rules.ApiName.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The counterparts of NVSHMEM names. The rows are families; the thousands of names are created at
 * the first lookup.
 */
public final class ShmemTable {
  static final ShmemTable NONE = new ShmemTable(List.of(), List.of());
  private static final Pattern SET = Pattern.compile("<([a-z]+)>");
  private static final Pattern ROCSHMEM = Pattern.compile("(?<![\\w:])(?:rocshmem|ROCSHMEM)_\\w+");
  private static final Pattern WORD = Pattern.compile("(?<![\\w:])[a-z]\\w*");
  private static final String VALUE = " : ";

  private final List<ShmemRow> rows;
  private final List<ShmemRow.Member> members;
  private @Nullable Map<String, List<ShmemName>> names;

  ShmemTable(List<ShmemRow> rows, List<ShmemRow.Member> members) {
    this.rows = List.copyOf(rows);
    this.members = List.copyOf(members);
  }

  /** The rows as they are written, in the order of the tables. */
  public List<ShmemRow> rows() {
    return rows;
  }

  /** The members of sets, in the order of the tables. */
  public List<ShmemRow.Member> members() {
    return members;
  }

  /** These rows, those of another table for names that it has, and its members of sets. */
  ShmemTable under(ShmemTable over) {
    Set<String> others = over.rows.stream().map(ShmemRow::name).collect(Collectors.toSet());
    List<ShmemRow> all = new ArrayList<>(rows);
    all.removeIf(r -> others.contains(r.name()));
    all.addAll(over.rows);
    List<ShmemRow.Member> both = new ArrayList<>(members);
    both.addAll(over.members);
    return new ShmemTable(all, both);
  }

  /**
   * All names, each with what becomes of it: more than one where host and device differ. In the
   * order of the tables.
   */
  public synchronized Map<String, List<ShmemName>> names() {
    Map<String, List<ShmemName>> known = names;
    if (known == null) {
      Map<String, List<ShmemName>> made = new LinkedHashMap<>();
      rows.forEach(r -> expand(r, r.name(), r.target(), made));
      known = Collections.unmodifiableMap(made);
      names = known;
    }
    return known;
  }

  private void expand(ShmemRow row, String name, String target, Map<String, List<ShmemName>> made) {
    Matcher m = SET.matcher(name);
    if (!m.find()) {
      made.computeIfAbsent(name, n -> new ArrayList<>()).add(name(row, name, target));
      return;
    }
    String set = m.group(1);
    boolean known = false;
    for (ShmemRow.Member member : members) {
      if (member.isIn(set)) {
        known = true;
        expand(
            row,
            name.replace("<" + set + ">", member.name()),
            target
                .replace("<" + set + ">", member.rocshmem())
                .replace("<" + set + ".name>", member.name())
                .replace("<" + set + ".type>", member.type()),
            made);
      }
    }
    if (!known) {
      throw new InvalidFileException(row.name() + " names the unknown set '" + set + "'");
    }
  }

  private static ShmemName name(ShmemRow row, String name, String target) {
    List<String> parameters =
        row.parameters().isEmpty() ? List.of() : List.of(row.parameters().split(", ", -1));
    int colon = target.lastIndexOf(VALUE);
    String call = colon < 0 ? target : target.substring(0, colon);
    String holes =
        WORD.matcher(call)
            .replaceAll(w -> parameters.contains(w.group()) ? "\\$" + w.group() : w.group());
    String qualified =
        row.kind() == Kind.MACRO ? holes : ROCSHMEM.matcher(holes).replaceAll("rocshmem::$0");
    String value = colon < 0 ? "" : target.substring(colon + VALUE.length());
    return new ShmemName(name, parameters, qualified, value, row);
  }
}
