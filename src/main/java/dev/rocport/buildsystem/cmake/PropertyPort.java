package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Entry;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ports properties of targets, sources, and folders. */
final class PropertyPort {
  /** The flags of sources and targets, by the property that holds them. */
  private static final Map<String, FlagText.Form> FLAGS =
      Map.of("COMPILE_FLAGS", FlagText.Form.STRING, "COMPILE_OPTIONS", FlagText.Form.LIST);

  private final CMakeFacts facts;
  private final CMakeDraft draft;
  private final RelocatableCode rdc;

  PropertyPort(CMakeFacts facts, CMakeDraft draft, RelocatableCode rdc) {
    this.facts = facts;
    this.draft = draft;
    this.rdc = rdc;
  }

  void properties(CMakeCommand c) {
    List<Argument> a = c.arguments();
    for (Argument name : c.pairs()) {
      Argument value = a.get(a.indexOf(name) + 1);
      if (name.is("LANGUAGE") && value.text().equals("CUDA")) {
        draft.replace(value.start(), value.end(), "HIP", ListPort.SOURCE);
      }
      flags(c, name, value);
      CMakeNames.of(Kind.PROPERTY, name.text()).ifPresent(e -> property(c, e, name, value));
    }
  }

  /** Ports flags of CUDA sources; where other compilers may get them, only those of nvcc alone. */
  private void flags(CMakeCommand c, Argument name, Argument value) {
    FlagText.Form form = FLAGS.get(name.text());
    if (form == null || !facts.isCuda() || value.text().contains("$<")) {
      return; // NamePass ports generator expressions
    }
    boolean cuda =
        c.name().equals("set_source_files_properties")
            && c.arguments().stream()
                .takeWhile(a -> !a.is("PROPERTIES"))
                .allMatch(a -> a.text().endsWith(".cu"));
    draft.flags(value.start(), value.end(), form, !cuda);
  }

  private void property(CMakeCommand c, Entry e, Argument name, Argument value) {
    switch (e.action()) {
      case RENAME -> draft.replace(name.start(), name.end(), e.rocm(), ListPort.VARIABLE);
      case ARCH, DROP -> {
        String why = e.action() == Action.ARCH ? LeftOut.ARCH_ADVICE : e.reason();
        draft.note(
            e.action() == Action.ARCH ? ListPort.ARCH : ListPort.VARIABLE,
            name.start(),
            value.end(),
            name.text() + " is left out: " + why);
        draft.delete(value, ListPort.VARIABLE);
        draft.delete(name, ListPort.VARIABLE);
      }
      case SEPARABLE -> {
        boolean alone =
            c.pairs().stream().allMatch(p -> p.equals(name) || LeftOut.isDropped(p.text()));
        if (!LeftOut.isOff(value.text())) {
          rdc.add(c, value.text(), alone);
        }
        if (!alone) {
          draft.delete(value, ListPort.RDC);
          draft.delete(name, ListPort.RDC);
        }
      }
      default -> draft.problem(name.start(), value.end(), name.text() + ": " + e.reason());
    }
  }

  void property(CMakeCommand c) {
    Optional<Argument> name = c.property();
    List<Argument> a = c.arguments();
    if (c.name().equals("set_property") && name.isPresent()) {
      int at = a.indexOf(name.get());
      if (name.get().is("LANGUAGE") && at + 1 < a.size() && a.get(at + 1).text().equals("CUDA")) {
        draft.replace(a.get(at + 1).start(), a.get(at + 1).end(), "HIP", ListPort.SOURCE);
      }
      Optional<Entry> e = CMakeNames.of(Kind.PROPERTY, name.get().text());
      if (e.isPresent() && e.get().action() == Action.SEPARABLE && a.getFirst().is("TARGET")) {
        rdc.add(c, a.getLast().text(), true);
      } else if (e.isPresent()) {
        plainProperty(e.get(), name.get());
      }
      return;
    }
    for (Argument word : a) {
      CMakeNames.of(Kind.PROPERTY, word.text()).ifPresent(e -> plainProperty(e, word));
    }
  }

  private void plainProperty(Entry e, Argument name) {
    if (e.action() == Action.RENAME) {
      draft.replace(name.start(), name.end(), e.rocm(), ListPort.VARIABLE);
    } else {
      draft.problem(
          name.start(),
          name.end(),
          name.text() + " has no counterpart" + (e.reason().isEmpty() ? "" : ": " + e.reason()));
    }
  }
}
