package dev.rocport.doctor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The variables that select GPUs. ROCR_VISIBLE_DEVICES is read first, by the runtime below HIP, and
 * the remaining GPUs are renumbered; HIP_VISIBLE_DEVICES, or CUDA_VISIBLE_DEVICES if that is not
 * set, then uses these new numbers.
 */
final class VisibleDevices {
  private static final String ROCR = "ROCR_VISIBLE_DEVICES";
  private static final String HIP = "HIP_VISIBLE_DEVICES";
  private static final String CUDA = "CUDA_VISIBLE_DEVICES";
  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d{1,6}");

  private final Machine machine;
  private final List<Observation> found = new ArrayList<>();

  private VisibleDevices(Machine machine) {
    this.machine = machine;
  }

  /**
   * What is wrong with them.
   *
   * @param gpus number of GPUs; 0 if not known
   */
  static List<Observation> observe(Machine machine, int gpus) {
    VisibleDevices v = new VisibleDevices(machine);
    v.look(gpus);
    return v.found;
  }

  private void look(int gpus) {
    int left = gpus;
    if (machine.isSet(ROCR)) {
      list(ROCR, gpus, "GPUs of this machine");
      int listed = entries(ROCR).size();
      left = listed;
      if (machine.isSet(HIP) && entries(HIP).size() > listed) {
        add(
            HIP,
            Status.PROBLEM,
            both(HIP, ROCR),
            "HIP is set to select more GPUs than "
                + ROCR
                + " leaves visible; PyTorch stops with an error.",
            "use only one of the two");
        return;
      }
    }
    if (machine.isSet(HIP)) {
      list(
          HIP,
          left,
          left == gpus ? "GPUs of this machine" : "GPUs that " + ROCR + " leaves visible");
      if (machine.isSet(CUDA) && !entries(CUDA).equals(entries(HIP))) {
        add(
            CUDA,
            Status.WARNING,
            both(CUDA, HIP),
            "HIP reads "
                + HIP
                + " and ignores "
                + CUDA
                + ": scripts that set only "
                + CUDA
                + " have no effect.",
            "unset one of the two");
      }
    } else if (machine.isSet(CUDA)) {
      list(
          CUDA,
          left,
          left == gpus ? "GPUs of this machine" : "GPUs that " + ROCR + " leaves visible");
    }
    if (machine.isSet(ROCR) && (machine.isSet(HIP) || machine.isSet(CUDA)) && found.isEmpty()) {
      String second = machine.isSet(HIP) ? HIP : CUDA;
      add(
          ROCR,
          Status.NOTE,
          both(ROCR, second),
          second + " indexes the GPUs that " + ROCR + " leaves visible, starting from 0.",
          "use only one of the two");
    }
  }

  private void list(String variable, int count, String what) {
    List<String> entries = entries(variable);
    if (entries.isEmpty() || entries.getFirst().startsWith("-")) {
      add(variable, Status.PROBLEM, value(variable), "It hides every GPU.", "unset it");
      return;
    }
    Set<String> seen = new HashSet<>();
    for (String e : entries) {
      boolean number = NUMBER.matcher(e).matches();
      String wrong = "";
      if (number && count > 0 && (e.startsWith("-") || Integer.parseInt(e) >= count)) {
        wrong = "Number " + e + " is out of range for the " + count + " " + what + ".";
      } else if (!seen.add(e)) {
        wrong = "The GPU " + e + " is listed twice.";
      } else if (!number && !e.startsWith("GPU-")) {
        wrong = "'" + e + "' is neither a number nor an id such as GPU-0123456789abcdef.";
      }
      if (!wrong.isEmpty()) {
        add(
            variable,
            Status.PROBLEM,
            value(variable),
            wrong + " The entries that follow may be ignored as well.",
            "correct the list, or unset it");
        return;
      }
    }
  }

  private List<String> entries(String variable) {
    return Pattern.compile(",")
        .splitAsStream(machine.variable(variable))
        .map(String::strip)
        .filter(e -> !e.isEmpty())
        .toList();
  }

  private String both(String a, String b) {
    return value(a) + ", and " + b + " is " + value(b);
  }

  private String value(String variable) {
    String value = machine.variable(variable);
    return value.isBlank() ? "(blank)" : value;
  }

  private void add(String variable, Status status, String text, String why, String fix) {
    found.add(Observation.of(Section.ENVIRONMENT, variable, status, text, why, fix));
  }
}
