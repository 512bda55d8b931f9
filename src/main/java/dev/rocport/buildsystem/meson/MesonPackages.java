package dev.rocport.buildsystem.meson;

import dev.rocport.buildsystem.calls.Call;
import dev.rocport.buildsystem.calls.CallDraft;
import dev.rocport.buildsystem.calls.Item;
import dev.rocport.buildsystem.calls.Token;
import dev.rocport.buildsystem.meson.MesonFacts.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Ports dependencies, libraries, and headers of the CUDA toolkit. */
final class MesonPackages {
  private static final String ROCM_LIBRARIES = "hip_libraries";

  private final MesonFile file;
  private final MesonFacts facts;
  private final CallDraft draft;

  MesonPackages(MesonFile file, MesonFacts facts, CallDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
  }

  void dependency(Call c) {
    List<Item> p = c.arguments().positional();
    if (facts.role(c) != Role.TOOLKIT) {
      return;
    }
    String name = p.getFirst().string().map(Token::value).orElse("");
    List<String> names = new ArrayList<>();
    if (!Toolkit.ofPackage(name).isEmpty()) {
      names.add(Toolkit.ofPackage(name));
    }
    Optional<Item> modules = c.arguments().keyword("modules");
    if (modules.isPresent()) {
      if (!MesonFacts.names(modules.get().parts()).isEmpty()) {
        draft.problem(
            modules.get().start(),
            modules.get().end(),
            "a variable holds the names of the CUDA modules; write the names in this call");
        return;
      }
      MesonFacts.strings(modules.get().parts()).forEach(t -> names.add(t.value()));
    }
    SortedSet<String> libraries = new TreeSet<>();
    for (String library : names) {
      Optional<Toolkit.Library> rocm = Toolkit.library(library);
      String problem = rocm.isEmpty() ? "the library is unknown" : rocm.get().problem();
      if (!problem.isEmpty()) {
        draft.problem(c.start(), c.end(), library + ": " + problem);
        return;
      }
      libraries.add(rocm.get().name());
    }
    libraries.removeAll(List.of("", "amdhip64"));
    draft.replaceAll(c.start(), c.end(), toolkit(c, libraries), MesonBuild.PACKAGE);
  }

  private String toolkit(Call c, SortedSet<String> libraries) {
    StringBuilder text = new StringBuilder();
    if (libraries.isEmpty()) {
      text.append("hip_dep");
    } else {
      text.append("declare_dependency(dependencies: [hip_dep");
      for (String library : libraries) {
        text.append(
            ", hip_compiler.find_library('%s', dirs: %s)".formatted(library, ROCM_LIBRARIES));
      }
      text.append("])");
    }
    Optional<Item> required = c.arguments().keyword("required");
    String value = required.map(r -> file.text(r.valueStart(), r.end())).orElse("true");
    if (facts.isRequired() || (libraries.isEmpty() && value.equals("false"))) {
      return text.toString();
    }
    return "hip_dep.found() ? %s : dependency('', required: %s)".formatted(text, value);
  }

  void findLibrary(Call c) {
    List<Item> p = c.arguments().positional();
    Optional<Token> name = p.isEmpty() ? Optional.empty() : p.getFirst().string();
    Optional<Toolkit.Library> rocm = name.flatMap(n -> Toolkit.library(n.value()));
    if (rocm.isEmpty()) {
      return;
    }
    if (!rocm.get().problem().isEmpty()) {
      draft.problem(c.start(), c.end(), name.get().value() + ": " + rocm.get().problem());
      return;
    }
    if (rocm.get().name().isEmpty() || rocm.get().name().equals("amdhip64")) {
      draft.replaceAll(c.start(), c.end(), "hip_dep", MesonBuild.PACKAGE);
      return;
    }
    Optional<Item> required = c.arguments().keyword("required");
    String more = required.map(r -> ", " + file.text(r.start(), r.end())).orElse("");
    draft.replaceAll(
        c.start(),
        c.end(),
        "hip_compiler.find_library('%s', dirs: %s%s)"
            .formatted(rocm.get().name(), ROCM_LIBRARIES, more),
        MesonBuild.PACKAGE);
  }

  void header(Call c) {
    List<Item> p = c.arguments().positional();
    Optional<Token> name = p.isEmpty() ? Optional.empty() : p.getFirst().string();
    boolean of = name.filter(n -> n.value().matches("cuda(_runtime(_api)?)?\\.h")).isPresent();
    if (of) {
      draft.replace(
          p.getFirst().start(), p.getFirst().end(), "'hip/hip_runtime.h'", MesonBuild.PACKAGE);
    } else if (name.filter(n -> n.value().matches("(cu[a-z]+|nccl)(_v2|Lt)?\\.h")).isPresent()) {
      draft.problem(
          c.start(),
          c.end(),
          name.get().value() + " is an NVIDIA header; check for the header of the ROCm library");
    }
  }
}
