package dev.rocport.buildsystem.cmake;

import dev.rocport.buildsystem.cmake.CMakeCommand.Argument;
import dev.rocport.buildsystem.cmake.CMakeNames.Action;
import dev.rocport.buildsystem.cmake.CMakeNames.Entry;
import dev.rocport.buildsystem.cmake.CMakeNames.Kind;
import dev.rocport.buildsystem.shared.SampleHeaders;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports CUDA variables, targets and generator expressions in the arguments of any command. */
final class NamePass {
  private static final Set<String> BEFORE_14 = Set.of("98", "11");

  /** The CUDA version that ported version conditions assume. */
  private static final String MAJOR = "13";

  private static final Set<String> CONDITIONS = Set.of("if", "elseif", "while");
  private static final Set<String> LINKS = Set.of("target_link_libraries", "link_libraries");
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{(\\w+)\\}|@(\\w+)@");
  private static final Pattern TARGET = Pattern.compile("(?:CUDA|nvshmem)::\\w+");
  private static final Pattern ENVIRONMENT =
      Pattern.compile(
          "\\$ENV\\{(CUDA_\\w+|CUDADIR|CUDAHOME|CUDACXX|CUDAToolkit_\\w+)\\}|/usr/local/cuda[\\w.-]*");
  private static final Set<String> INCLUDES =
      Set.of("include_directories", "target_include_directories", "cuda_include_directories");

  /** The folder of the headers of the CUDA samples in the CUDA toolkit. */
  private static final Pattern SAMPLES =
      Pattern.compile(
          "(\\$\\{CUDA_\\w+\\}|\\$\\{CUDAToolkit_\\w+\\}|\\$ENV\\{CUDA_\\w+\\}|/usr/local/cuda[\\w.-]*)"
              + "(/include)?(/\\.\\.)?/(samples/|C/)?common/inc/?");

  private static final Pattern GENEX =
      Pattern.compile(
          "(?<=\\$<)(?:(COMPILE_LANGUAGE|LINK_LANGUAGE|COMPILE_LANG_AND_ID|LINK_LANG_AND_ID):([\\w,]+)"
              + "|CUDA_COMPILER_ID:([\\w,]+)|CUDA_COMPILER_VERSION|DEVICE_LINK|HOST_LINK)(?=[:>])");

  private final CMakeFile file;
  private final CMakeFacts facts;
  private final CMakeDraft draft;
  private final CopyPort copies;

  NamePass(CMakeFile file, CMakeFacts facts, CMakeDraft draft) {
    this.file = file;
    this.facts = facts;
    this.draft = draft;
    this.copies = new CopyPort(file, facts, draft);
  }

  void port(CMakeCommand c) {
    List<Argument> arguments = c.arguments();
    for (int i = 0; i < arguments.size(); i++) {
      Argument a = arguments.get(i);
      if (INCLUDES.contains(c.name())) {
        if (SAMPLES.matcher(a.text()).matches()) {
          samples(a);
          continue;
        }
        if (copies.include(a)) {
          continue;
        }
      } else if (c.name().equals("add_subdirectory") && i == 0) {
        copies.project(a);
      }
      genex(a);
      targets(c, a);
      references(c, a);
      word(c, a, i);
      environment(c, a);
      if (c.name().startsWith("set") && i + 1 < arguments.size()) {
        standard(a, arguments.get(i + 1));
      }
    }
    if (CONDITIONS.contains(c.name())) {
      compilers(arguments);
    }
  }

  private void samples(Argument a) {
    draft.note(ListPort.VARIABLE, a.start(), a.end(), SampleHeaders.leftOut(a.text()));
    draft.delete(a, ListPort.VARIABLE);
  }

  private Matcher in(Pattern pattern, Argument a) {
    return pattern.matcher(file.text()).region(a.start(), a.end());
  }

  private void genex(Argument a) {
    Matcher m = in(GENEX, a).useTransparentBounds(true);
    while (m.find()) {
      if (m.group(2) != null) {
        languages(m);
      } else if (m.group(3) != null) {
        String ids = m.group(3).replace("NVIDIA", "Clang");
        draft.replace(m.start(), m.end(), "HIP_COMPILER_ID:" + ids, ListPort.VARIABLE);
      } else {
        draft.problem(m.start(), m.end(), m.group() + " has no counterpart for HIP");
      }
    }
  }

  private void languages(Matcher m) {
    String text = m.group(2);
    boolean id = m.group(1).endsWith("_AND_ID");
    if (id && !(text.startsWith("CUDA,") && text.contains("NVIDIA"))) {
      return; // CUDA with another compiler is not ported
    }
    String hip = text.replaceAll("\\bCUDA\\b", "HIP");
    if (id) {
      hip = "HIP,Clang";
    }
    if (!hip.equals(text)) {
      draft.replace(m.start(2), m.end(2), hip, ListPort.LANGUAGE);
    }
  }

  /**
   * The headers of rocThrust, hipCUB and rocPRIM require C++14. Without a version for HIP, CMake
   * takes that for C++.
   */
  private void standard(Argument name, Argument value) {
    boolean cuda = name.text().equals("CMAKE_CUDA_STANDARD") || name.text().equals("CUDA_STANDARD");
    if (cuda && value.text().equals("11")) {
      draft.replace(value.start(), value.end(), "14", ListPort.VARIABLE);
    }
    if (name.text().equals("CMAKE_CXX_STANDARD")
        && BEFORE_14.contains(value.text())
        && facts.isCuda()
        && !facts.isOwn("CMAKE_CUDA_STANDARD")) {
      draft.after("set(CMAKE_HIP_STANDARD 14)", ListPort.VARIABLE);
    }
  }

  private void targets(CMakeCommand c, Argument a) {
    Matcher m = in(TARGET, a);
    while (m.find()) {
      Optional<Entry> known = CMakeNames.of(Kind.TARGET, m.group());
      if (known.isEmpty() || isText(c, a) || draft.isCovered(m.start(), m.end())) {
        continue;
      }
      boolean whole = m.start() == a.start() && m.end() == a.end();
      switch (known.get().action()) {
        case RENAME -> draft.replace(m.start(), m.end(), known.get().rocm(), ListPort.TARGET);
        case DROP -> {
          if (whole && !CONDITIONS.contains(c.name())) {
            draft.delete(a, ListPort.TARGET);
          } else {
            draft.problem(m.start(), m.end(), m.group() + ": " + known.get().reason());
          }
        }
        default -> {
          if (whole && LINKS.contains(c.name())) {
            // A target that is missing would stop the whole project at its configuration.
            String guarded = "$<TARGET_NAME_IF_EXISTS:" + m.group() + ">";
            draft.replace(m.start(), m.end(), guarded, ListPort.TARGET);
          }
          draft.problem(m.start(), m.end(), m.group() + ": " + known.get().reason());
        }
      }
    }
  }

  /** Returns whether an argument is text for people. */
  private static boolean isText(CMakeCommand c, Argument a) {
    return a.quoted() && (c.name().equals("message") || c.name().equals("option"));
  }

  private void references(CMakeCommand c, Argument a) {
    Matcher m = in(REFERENCE, a);
    while (m.find()) {
      int group = m.group(1) != null ? 1 : 2;
      String name = m.group(group);
      Optional<Entry> library = CMakeNames.of(Kind.LIBRARY, name).filter(e -> !facts.isOwn(name));
      if (library.isPresent()) {
        library(library.get(), a, m.start(), m.end());
        continue;
      }
      boolean whole = m.start() == a.start() && m.end() == a.end();
      entry(name)
          .ifPresent(
              e -> {
                if (e.action() == Action.VERSION && CONDITIONS.contains(c.name())) {
                  version(name, m.start(), m.end());
                } else if ((e.action() == Action.DROP || e.action() == Action.SEPARABLE)
                    && whole
                    && a.quoted()) {
                  draft.problem(m.start(), m.end(), name + " has no counterpart: " + e.reason());
                } else {
                  if (e.action() == Action.VERSION
                      && !c.name().equals("message")
                      && !draft.isCovered(m.start(), m.end())) {
                    draft.doubt(
                        ListPort.VERSION,
                        m.start(),
                        m.end(),
                        name + " becomes the HIP version here");
                  }
                  rename(e, m.start(group), m.end(group));
                }
              });
    }
  }

  private void library(Entry e, Argument a, int start, int end) {
    switch (e.action()) {
      case RENAME -> draft.replace(start, end, e.rocm(), ListPort.TARGET);
      case DROP -> {
        if (start == a.start() && end == a.end()) {
          draft.delete(a, ListPort.TARGET);
        } else {
          draft.problem(start, end, e.cuda() + ": " + e.reason());
        }
      }
      default -> draft.problem(start, end, e.cuda() + ": " + e.reason());
    }
  }

  /** Returns the entry of a variable, unless the project defines a variable with that name. */
  private Optional<Entry> entry(String name) {
    boolean always =
        name.startsWith("CMAKE_CUDA_")
            || name.startsWith("CUDAToolkit_")
            || name.startsWith("CUDA_NVCC_FLAGS");
    Optional<Entry> known = CMakeNames.of(Kind.VARIABLE, name);
    if (known.isEmpty() && name.startsWith("CMAKE_CUDA_")) {
      String reason = "CMake does not have this variable for HIP";
      return Optional.of(new Entry(name, Action.REFUSE, "", "", reason));
    }
    return known.filter(e -> always || !facts.isOwn(name) || e.action() == Action.DROP);
  }

  private void rename(Entry e, int start, int end) {
    switch (e.action()) {
      case RENAME, FLAGS, LIST_FLAGS, ARCH, VERSION -> {
        if (!e.rocm().equals(e.cuda())) {
          draft.replace(start, end, e.rocm(), ListPort.VARIABLE);
        }
      }
      default -> {
        if (!draft.isCovered(start, end)) {
          draft.problem(
              start,
              end,
              e.cuda() + " has no counterpart" + (e.reason().isEmpty() ? "" : ": " + e.reason()));
        }
      }
    }
  }

  /** Ports the plain name of a variable, in conditions and assignments. */
  private void word(CMakeCommand c, Argument a, int index) {
    boolean condition = CONDITIONS.contains(c.name());
    boolean names =
        condition
            || Set.of(
                    "set",
                    "unset",
                    "option",
                    "list",
                    "string",
                    "mark_as_advanced",
                    "foreach",
                    "math",
                    "get_filename_component",
                    "file",
                    "cmake_dependent_option",
                    "separate_arguments")
                .contains(c.name())
            || (index > 0 && c.name().startsWith("cmake_print"));
    if (a.quoted() || !names || !a.text().matches("\\w+") || draft.isCovered(a.start(), a.end())) {
      return;
    }
    entry(a.text())
        .ifPresent(
            e -> {
              if (e.action() == Action.VERSION && condition) {
                version(a.text(), a.start(), a.end());
              } else {
                rename(e, a.start(), a.end());
              }
            });
  }

  private void version(String name, int start, int end) {
    String number = name.endsWith("_MAJOR") ? MAJOR : name.endsWith("_MINOR") ? "0" : MAJOR + ".0";
    if (!draft.isCovered(start, end)) {
      draft.note(
          ListPort.VERSION,
          start,
          end,
          name
              + " is set to "
              + number
              + ", because the port follows the code for a recent CUDA version");
      draft.replace(start, end, number, ListPort.VERSION);
    }
  }

  /** Replaces nvcc with clang in conditions on the CUDA compiler. */
  private void compilers(List<Argument> words) {
    for (int i = 0; i + 2 < words.size(); i++) {
      if (words.get(i).text().matches("(\\$\\{)?CMAKE_CUDA_COMPILER_ID\\}?")
          && Set.of("STREQUAL", "MATCHES").contains(words.get(i + 1).text())
          && words.get(i + 2).text().equals("NVIDIA")) {
        Argument id = words.get(i + 2);
        int quote = id.quoted() ? 1 : 0;
        draft.replace(id.start() + quote, id.end() - quote, "Clang", ListPort.VARIABLE);
      }
    }
  }

  private void environment(CMakeCommand c, Argument a) {
    Matcher m = in(ENVIRONMENT, a);
    while (m.find()) {
      if (!isText(c, a) && !draft.isCovered(m.start(), m.end())) {
        draft.problem(
            m.start(),
            m.end(),
            m.group() + ": find_package() finds ROCm; if ROCm is elsewhere, set CMAKE_PREFIX_PATH");
      }
    }
  }
}
