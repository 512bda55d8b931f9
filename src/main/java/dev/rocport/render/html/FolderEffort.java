package dev.rocport.render.html;

import dev.rocport.core.result.FileReport;
import dev.rocport.core.result.Finding;
import dev.rocport.core.result.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The effort of a tree by folders; the folders with the most effort by files. */
final class FolderEffort {
  private static final int MOST = 40;
  private static final Comparator<Part> ORDER =
      Comparator.comparingInt((Part p) -> -p.minutes()).thenComparing(Part::path);

  private FolderEffort() {}

  /**
   * A file, or all files below a folder.
   *
   * @param path ends in {@code /} for a folder; empty for the rest, which combines many small parts
   * @param files number of files with effort
   * @param worst highest severity of its findings; null if it has none
   */
  record Part(String path, int minutes, int files, int findings, @Nullable Severity worst) {}

  private static final class Node {
    private final String path;
    private final TreeMap<String, Node> children = new TreeMap<>();
    private int minutes;
    private int files;
    private int findings;
    private @Nullable Severity worst;

    Node(String path) {
      this.path = path;
    }

    void add(FileReport f) {
      minutes += f.effort().minutes();
      files++;
      findings += f.result().findings().size();
      for (Finding x : f.result().findings()) {
        Severity now = worst;
        worst = now == null || x.severity().compareTo(now) > 0 ? x.severity() : now;
      }
    }

    Part part() {
      return new Part(path, minutes, files, findings, worst);
    }
  }

  /**
   * Returns the parts of the tree, most minutes first; together they contain all files with effort.
   */
  static List<Part> parts(List<FileReport> files) {
    Node base = tree(files);
    while (base.children.size() == 1) {
      base = base.children.firstEntry().getValue();
    }
    if (base.minutes == 0) {
      return List.of();
    }
    Comparator<Node> order = Comparator.comparing(Node::part, ORDER);
    PriorityQueue<Node> open = new PriorityQueue<>(order);
    open.addAll(base.children.isEmpty() ? List.of(base) : base.children.values());
    List<Part> parts = new ArrayList<>();
    while (!open.isEmpty()) {
      Node n = open.remove();
      int children = n.children.size();
      if (children > 0 && open.size() + parts.size() + children <= MOST) {
        open.addAll(n.children.values());
      } else {
        parts.add(n.part());
      }
    }
    parts.sort(ORDER);
    return parts.size() <= MOST ? parts : withRest(parts);
  }

  private static Node tree(List<FileReport> files) {
    Node root = new Node("");
    for (FileReport f : files) {
      if (f.effort().minutes() == 0) {
        continue;
      }
      Node at = root;
      at.add(f);
      String path = f.result().path();
      for (int from = 0; from < path.length(); ) {
        int slash = path.indexOf('/', from);
        int to = slash < 0 ? path.length() : slash + 1;
        String prefix = path.substring(0, to);
        at = at.children.computeIfAbsent(prefix, Node::new);
        at.add(f);
        from = to;
      }
    }
    return root;
  }

  private static List<Part> withRest(List<Part> parts) {
    List<Part> some = new ArrayList<>(parts.subList(0, MOST - 1));
    Node rest = new Node("");
    for (Part p : parts.subList(MOST - 1, parts.size())) {
      rest.minutes += p.minutes();
      rest.files += p.files();
      rest.findings += p.findings();
      Severity worst = p.worst();
      Severity now = rest.worst;
      rest.worst = worst != null && (now == null || worst.compareTo(now) > 0) ? worst : now;
    }
    some.add(rest.part());
    some.sort(ORDER);
    return some;
  }
}
