package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.FlagList;
import dev.rocport.buildsystem.calls.Group;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Part;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.meson.MesonFacts.Role;
import dev.rocport.buildsystem.meson.MesonNames.Action;
import dev.rocport.buildsystem.meson.MesonNames.Entry;
import dev.rocport.buildsystem.meson.MesonNames.Kind;
import java.util.List;
import java.util.Optional;

/** Ports programs of the CUDA toolkit and commands that call nvcc. */
final class MesonCommands {
  private final MesonFacts facts;
  private final CallDraft draft;
  private final FlagList flags;

  MesonCommands(MesonFacts facts, CallDraft draft, FlagList flags) {
    this.facts = facts;
    this.draft = draft;
    this.flags = flags;
  }

  void findProgram(Call c) {
    for (Item i : c.arguments().positional()) {
      i.string().ifPresent(t -> program(t.value(), i.start(), i.end()));
      boolean joined = i.parts().size() > 1 && i.parts().getLast().isString();
      if (joined && i.parts().getLast() instanceof Token t && !t.value().startsWith("/")) {
        program(t.value(), t.start(), t.end());
      }
    }
  }

  private void program(String path, int start, int end) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    Optional<Entry> e = MesonNames.of(Kind.PROGRAM, name);
    if (e.isEmpty()) {
      return;
    }
    if (e.get().action() == Action.REFUSE) {
      draft.problem(start, end, name + " is an NVIDIA program: " + e.get().reason());
      return;
    }
    String text =
        path.startsWith("/")
            ? "rocm / 'bin' / '" + e.get().rocm() + "'"
            : "'" + e.get().rocm() + "'";
    draft.replaceAll(start, end, text, MesonBuild.COMMAND);
  }

  void commands(Call c) {
    for (Item i : c.arguments().items()) {
      if (i.keyword().equals("arguments") && facts.role(c) == Role.GENERATOR) {
        boolean compiles = compiles(i.parts());
        flags.port(i.parts());
        draft.insert(
            i.valueStart(), (compiles ? "hip_args" : offload()) + " + ", MesonBuild.COMMAND);
      } else if (i.keyword().equals("command") || c.is("run_command")) {
        List<Part> parts = i.keyword().equals("command") ? i.parts() : List.of(c.arguments());
        command(c, parts);
        if (c.is("run_command")) {
          return;
        }
      }
    }
  }

  private void command(Call c, List<Part> parts) {
    for (Part p : parts) {
      if (p instanceof Group g && !g.items().isEmpty()) {
        Item first = g.items().getFirst();
        boolean named = first.string().filter(t -> MesonFacts.isNvcc(t.value())).isPresent();
        if (named) {
          program(first.string().get().value(), first.start(), first.end());
        }
        if (named || facts.roleOf(first.parts()) == Role.NVCC) {
          List<Item> rest = g.items().stream().skip(1).filter(i -> i.keyword().isEmpty()).toList();
          boolean compiles = compiles(parts);
          flags.port(g, rest);
          if (!c.is("run_command")) {
            String more = compiles ? "hip_args" : offload();
            draft.insert(first.end(), ", " + more, MesonBuild.COMMAND);
          }
          parts.stream()
              .filter(x -> x != p)
              .forEach(
                  x -> {
                    if (x instanceof Group more) {
                      flags.port(List.of(more));
                    }
                  });
          return;
        }
      }
    }
    for (Token t : MesonFacts.strings(parts)) {
      if (t.value().matches("(?s)(.*[\\s;&|(])?nvcc\\s.*")) {
        draft.problem(
            t.start(), t.end(), "this shell command calls nvcc; call hipcc with clang flags");
      }
    }
  }

  private boolean compiles(List<Part> parts) {
    return MesonFacts.strings(parts).stream().anyMatch(MesonCommands::isCompiling)
        || MesonFacts.names(parts).stream()
            .flatMap(n -> facts.strings(n.text()).stream())
            .anyMatch(MesonCommands::isCompiling);
  }

  private static boolean isCompiling(Token flag) {
    return flag.value().matches("-c|--compile|-dc|--device-c|-dw|-x");
  }

  /** Returns the flags for a command that also links. */
  private String offload() {
    return facts.isRelocatable() ? "hip_rdc_args" : "hip_offload";
  }
}
