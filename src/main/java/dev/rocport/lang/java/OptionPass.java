package dev.rocport.lang.java;

import dev.rocport.commandline.NvccWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Ports compiler options: options that are passed to NVRTC, and nvcc command lines that a Java
 * program runs.
 */
final class OptionPass {
  static final String NVRTC = "JAVA-NVRTC-OPTION";
  static final String NVCC = "JAVA-NVCC";

  /** What makes nvcc write a module for the driver. */
  private static final Set<String> MODULES =
      Set.of("-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin");

  private final JavaWork w;

  OptionPass(JavaWork w) {
    this.w = w;
  }

  void run() {
    for (WordList list : WordList.of(w)) {
      if (list.isTaken()) {
        continue;
      }
      if (isNvcc(list.words().getFirst())) {
        command(list);
      } else if (list.isTexts() && isOptions(list.words())) {
        options(list);
      }
    }
    for (JavaString s : w.strings()) {
      if (!w.isTaken(s)) {
        alone(s);
      }
    }
  }

  private static boolean isNvcc(String word) {
    return word.equals("nvcc") || word.endsWith("/nvcc");
  }

  private boolean isOptions(List<String> words) {
    return words.stream().allMatch(o -> o.startsWith("-"))
        && (words.stream().anyMatch(OptionPass::isArchitecture) || mentionsNvrtc());
  }

  private boolean mentionsNvrtc() {
    return w.strings().stream().anyMatch(s -> s.said().startsWith("nvrtc"))
        || w.imports("jcuda.nvrtc")
        || w.imports("jcuda.nvrtc.JNvrtc");
  }

  private static boolean isArchitecture(String option) {
    return option.startsWith("--gpu-architecture")
        || option.startsWith("-arch=")
        || option.startsWith("--gpu-code")
        || option.startsWith("-gencode")
        || option.startsWith("--generate-code");
  }

  private void options(WordList list) {
    list.take();
    write(list, NvccWords.changes(list.words()), NVRTC, "hiprtc");
  }

  private void write(WordList list, List<NvccWords.Change> changes, String rule, String compiler) {
    List<NvccWords.Change> sure = new ArrayList<>();
    boolean free = list.isFree();
    for (NvccWords.Change c : changes) {
      int start = list.start(c.first());
      int end = list.end(c.first() + c.count() - 1);
      String said = String.join(" ", list.words().subList(c.first(), c.first() + c.count()));
      String shown = said.replace('\ufffc', '_');
      if (!c.problem().isEmpty()) {
        w.error(rule, start, end, shown + ": " + c.problem());
      } else if (!list.isSure(c)) {
        w.warn(rule, start, end, shown + ": its value is known only at run time; " + becomes(c));
      } else if (!free && c.words().size() != c.count()) {
        w.warn(
            rule,
            start,
            end,
            shown + ": other code may depend on the length of the list; " + becomes(c));
      } else if (w.changes().allows(rule)) {
        sure.add(c);
        if (c.words().isEmpty()) {
          String why = c.note().isEmpty() ? compiler + " needs no counterpart" : c.note();
          w.note(rule, start, end, shown + " is left out: " + why);
        }
      }
    }
    list.write(sure, rule);
  }

  private static String becomes(NvccWords.Change c) {
    return c.words().isEmpty() ? "leave it out" : "write " + String.join(" ", c.words());
  }

  private void command(WordList list) {
    list.take();
    List<String> words = new ArrayList<>(list.words());
    List<NvccWords.Change> changes = new ArrayList<>();
    String nvcc = words.getFirst();
    words.set(0, "");
    changes.add(to(0, nvcc.equals("nvcc") ? "hipcc" : "/opt/rocm/bin/hipcc"));
    for (int i = 1; i < words.size(); i++) {
      if (MODULES.contains(words.get(i))) {
        words.set(i, "");
        changes.add(to(i, "--genco"));
      }
    }
    changes.addAll(NvccWords.changes(words));
    if (changes.stream().allMatch(c -> c.problem().isEmpty() && list.isSure(c))) {
      write(list, changes, NVCC, "hipcc");
      return;
    }
    for (NvccWords.Change c : changes) {
      if (!c.problem().isEmpty() || !list.isSure(c)) {
        String why = c.problem().isEmpty() ? "its value is known only at run time" : c.problem();
        w.error(
            NVCC,
            list.start(c.first()),
            list.end(c.first() + c.count() - 1),
            "this call to nvcc is not ported: " + why);
      }
    }
  }

  private static NvccWords.Change to(int i, String word) {
    return new NvccWords.Change(i, 1, List.of(word), false, "", "");
  }

  /** An option or a command line that is by itself. */
  private void alone(JavaString s) {
    String said = s.said();
    if (said.startsWith("nvcc ") || said.contains("/nvcc ") || said.equals("nvcc")) {
      w.take(s);
      w.error(NVCC, s.start(), s.end(), "an nvcc command line that is not ported");
    } else if (isArchitecture(said) && !said.contains("__global__")) {
      w.take(s);
      w.warn(NVRTC, s.start(), s.end(), "an option for an NVIDIA architecture");
    }
  }
}
