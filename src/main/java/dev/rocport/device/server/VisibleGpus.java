package dev.rocport.device.server;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The GPUs that a program sees, by the variables that ROCm reads. {@code ROCR_VISIBLE_DEVICES}
 * selects first; {@code HIP_VISIBLE_DEVICES} selects among the GPUs that it left, by their new
 * numbers. As in ROCm, a list ends at its first entry that is not the number of a GPU, or that is
 * there already, and a blank {@code ROCR_VISIBLE_DEVICES} hides every GPU while a blank {@code
 * HIP_VISIBLE_DEVICES} selects all.
 */
public final class VisibleGpus {
  /** Stands for a variable that is not set. */
  static final String NOT_SET = "*";

  private VisibleGpus() {}

  /**
   * The device's numbers of the GPUs that a program sees, in the program's order.
   *
   * @param gpus how many the device has
   * @param rocr the value of {@code ROCR_VISIBLE_DEVICES}, or {@link #NOT_SET}
   * @param hip the value of {@code HIP_VISIBLE_DEVICES}, or {@link #NOT_SET}
   */
  static List<Integer> of(int gpus, String rocr, String hip) {
    List<Integer> all = IntStream.range(0, gpus).boxed().toList();
    List<Integer> left = rocr.equals(NOT_SET) ? all : select(all, rocr);
    return hip.equals(NOT_SET) || hip.isEmpty() ? left : select(left, hip);
  }

  /**
   * The value of {@code ROCR_VISIBLE_DEVICES} that shows a program GPUs of one target.
   *
   * @param targets of the device, in its order
   * @param each how many GPUs the device has of each target
   * @param seen how many of them the program sees
   */
  public static String ofTarget(List<String> targets, String target, int each, int seen) {
    int first = targets.indexOf(target) * each;
    return IntStream.range(first, first + seen)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(","));
  }

  private static List<Integer> select(List<Integer> from, String list) {
    List<Integer> selected = new ArrayList<>();
    for (String entry : list.split(",", -1)) {
      String number = entry.strip();
      if (!number.matches("\\d{1,4}")) {
        break;
      }
      int index = Integer.parseInt(number);
      if (index >= from.size() || selected.contains(from.get(index))) {
        break;
      }
      selected.add(from.get(index));
    }
    return List.copyOf(selected);
  }
}
