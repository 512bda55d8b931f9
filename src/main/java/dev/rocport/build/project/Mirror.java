package dev.rocport.build.project;

import dev.rocport.build.compile.DebugNames;
import dev.rocport.build.plan.BuildOptions;
import dev.rocport.build.plan.PlanException;
import dev.rocport.build.unit.EmbeddedCode;
import dev.rocport.buildsystem.shared.BuildFileNames;
import dev.rocport.io.Folders;
import dev.rocport.io.elf.ElfFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A copy of a tree in which the project's build runs, so that nothing is written to the sources.
 * Absolute paths of CUDA and of compilers in its makefiles are changed to the front ends.
 */
public final class Mirror {
  /** Makefiles that are generated from templates. */
  private static final Pattern MADE = Pattern.compile("(?:GNU)?[Mm]akefile\\..*");

  private static final Pattern TOOL =
      Pattern.compile(
          "(?<![\\w)}$./-])/(?:[\\w.+-]+/)*bin/"
              + "(nvcc|hipcc|(?:g\\+\\+|gcc|cc|c\\+\\+|clang\\+\\+|clang)(?:-\\d+)?)(?![\\w./+-])");
  private static final Pattern CUDA =
      Pattern.compile("(?<![\\w)}$./-])/(?:usr/local|opt)/cuda(?:-[\\d.]+)?(?=[/\\s)\"':]|$)");
  private static final Pattern COMPILER =
      Pattern.compile("(?<![\\w./-])((?:g\\+\\+|gcc|clang\\+\\+|clang)-\\d+)(?![\\w.+-])");
  private static final Pattern VARIABLE =
      Pattern.compile(
          "\\b(CUDA_HOME|CUDA_PATH|CUDA_ROOT|CUDA_DIR|CUDA_INSTALL_PATH|CUDA_INSTALL_DIR"
              + "|CUDA_TOOLKIT_PATH|CUDA_TOOLKIT_ROOT_DIR|CUDA_TOOLKIT_ROOT|CUDAHOME|CUDADIR"
              + "|CUDAPATH|ROCM_PATH|ROCM_HOME|HIP_PATH)\\b");

  /** Folder of a copy with parent folders, and the link to it. */
  private static final String ABOVE = "above";

  private static final String TREE = "tree";

  /** Maximum size of a file that is copied instead of linked. */
  private static final long LARGEST = 1 << 20;

  private final Path root;
  private final Path folder;
  private final Path frontEnds;

  /** Topmost copied folder and its copy; the folder and its copy if no parent is copied. */
  private final Path top;

  private final Path topCopy;
  private final Above above;
  private final SortedSet<String> variables = new TreeSet<>();
  private final SortedSet<String> compilers = new TreeSet<>();

  /**
   * @param root the tree
   * @param folder folder for the copy; deleted first
   * @param frontEnds the folder that replaces the CUDA folder
   */
  public Mirror(Path root, Path folder, Path frontEnds) {
    this(root, folder, frontEnds, root, folder, Above.none(root));
  }

  /** Returns the copy of a tree in the output folder of its build. */
  public static Path copy(Path out) {
    return out.resolve(TREE);
  }

  private Mirror(Path root, Path folder, Path frontEnds, Path top, Path topCopy, Above above) {
    this.root = root;
    this.folder = folder;
    this.frontEnds = frontEnds;
    this.top = top;
    this.topCopy = topCopy;
    this.above = above;
  }

  /**
   * Returns a copy of a tree and of the outside files that its build reads, with a layout in which
   * {@code ..} stays in the copy.
   *
   * @param out output folder of the build; the copy is {@code tree} in it
   * @throws PlanException if a name in the tree has too many levels of {@code ..}
   */
  public static Mirror of(Path root, Path out, Path frontEnds) throws IOException, PlanException {
    Mirror alone = new Mirror(root, copy(out), frontEnds);
    Above above = Above.of(root, alone.files(out).keySet(), Above.Limits.USUAL);
    if (above.levels() == 0 && above.beyond() == 0) {
      return alone;
    }
    Path top = root;
    for (int i = 0; i < above.levels(); i++) {
      Path parent = top.getParent();
      top = parent == null ? top : parent;
    }
    Path topCopy = out.resolve(ABOVE);
    for (int i = 0; i < above.beyond(); i++) {
      topCopy = topCopy.resolve("up");
    }
    return new Mirror(root, topCopy.resolve(top.relativize(root)), frontEnds, top, topCopy, above);
  }

  /** Returns whether a link in an output folder is part of a copy. */
  public static boolean isCopy(Path out, Path file) {
    return file.startsWith(copy(out)) || file.startsWith(out.resolve(ABOVE));
  }

  /** Returns outside files that the tree names and that were not copied. */
  List<Above.Left> left() {
    return above.left();
  }

  /** Returns the mapping of source names in debug information. */
  public DebugNames debugNames() {
    return new DebugNames(folder, root, above.levels());
  }

  /** Returns the include folder for {@code rocport/...} headers. */
  Optional<Path> headers() {
    return Files.isDirectory(folder.resolve("rocport"))
        ? Optional.of(folder)
        : above.headers().map(h -> place(h).resolveSibling(""));
  }

  /** Returns whether a file is in the tree or in a copied outside folder. */
  boolean isOwn(Path file) {
    return file.startsWith(topCopy) || file.startsWith(root);
  }

  /** Returns a file as reports show it: relative to the root of the tree. */
  String shown(Path file) {
    return isOwn(file) ? root.relativize(original(file)).toString() : file.toString();
  }

  /**
   * Returns an include folder for a compiler that runs in the copy: its copy, or the original if it
   * was not copied.
   */
  String searched(Path from, String name) {
    Path whole = from.resolve(name).normalize();
    boolean there = whole.startsWith(topCopy) && Files.exists(whole);
    if (Path.of(name).isAbsolute() || whole.startsWith(folder) || there) {
      return name;
    }
    return whole.startsWith(topCopy)
        ? original(whole).toString()
        : root.resolve(folder.relativize(whole)).normalize().toString();
  }

  public Path folder() {
    return folder;
  }

  /** Returns the folder that replaces the CUDA and ROCm folders. */
  Path frontEnds() {
    return frontEnds;
  }

  /** Returns the makefile variables that hold the CUDA folder. */
  public SortedSet<String> variables() {
    return variables;
  }

  /** Returns compilers with a version in their name that makefiles call. */
  SortedSet<String> compilers() {
    return compilers;
  }

  /** Returns the original of a file in the copy; other files unchanged. */
  public Path original(Path file) {
    return file.startsWith(topCopy) ? top.resolve(topCopy.relativize(file)) : file;
  }

  public void create(Path out) throws IOException {
    Folders.delete(folder);
    boolean nested = !top.equals(root) || !topCopy.equals(folder);
    if (nested) {
      Folders.delete(copy(out));
    }
    Folders.delete(out.resolve(ABOVE));
    for (Map.Entry<Path, BasicFileAttributes> e : files(out).entrySet()) {
      copy(e.getKey(), e.getValue());
    }
    for (Map.Entry<Path, BasicFileAttributes> e : above.files().entrySet()) {
      copy(e.getKey(), e.getValue());
    }
    if (nested) {
      Files.createSymbolicLink(copy(out), out.relativize(folder));
    }
  }

  /** Copies outside files that changed since they were copied. */
  void refreshAbove() throws IOException {
    for (Map.Entry<Path, BasicFileAttributes> e : above.files().entrySet()) {
      Path copy = place(e.getKey());
      boolean same =
          Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS)
              && Files.getLastModifiedTime(copy).equals(e.getValue().lastModifiedTime());
      if (!e.getValue().isDirectory() && !same) {
        refresh(e.getKey());
      }
    }
  }

  /**
   * Returns whether builds do not read a folder: version control, state of a port, outputs of other
   * builds.
   */
  static boolean isLeftOut(Path dir) {
    return dir.endsWith(".git")
        || dir.endsWith(".rocport")
        || Files.exists(dir.resolve(BuildOptions.MARKER));
  }

  /** Returns the folders and files that a build of the tree sees, in order. */
  SortedMap<Path, BasicFileAttributes> files(Path out) throws IOException {
    SortedMap<Path, BasicFileAttributes> found = new TreeMap<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a) {
            if (!dir.equals(root) && (dir.equals(out) || isLeftOut(dir))) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            found.put(dir, a);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
            found.put(file, a);
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  /** Copies a file again. */
  void refresh(Path file) throws IOException {
    Files.deleteIfExists(place(file));
    copy(file, Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
  }

  private Path place(Path file) {
    return topCopy.resolve(top.relativize(file));
  }

  private void copy(Path file, BasicFileAttributes a) throws IOException {
    if (a.isDirectory()) {
      Files.createDirectories(place(file));
      return;
    }
    String name = file.getFileName().toString();
    if (name.endsWith(".o") || a.isOther()) {
      return; // existing objects are not from this build
    }
    Files.createDirectories(place(file).resolveSibling(""));
    if (a.isSymbolicLink() && !file.startsWith(root) && !above.staysInside(file)) {
      // A link out of the copy would let the build write to its target.
      if (Files.isRegularFile(file) && Files.size(file) <= LARGEST) {
        Files.copy(file, place(file), StandardCopyOption.COPY_ATTRIBUTES);
      }
      return;
    }
    Files.copy(file, place(file), LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
    if (a.isRegularFile() && (BuildFileNames.isMakefile(name) || MADE.matcher(name).matches())) {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      collect(VARIABLE, text, variables);
      collect(COMPILER, text, compilers);
      String turned = rewrite(text);
      if (!turned.equals(text)) {
        Files.writeString(place(file), turned, StandardCharsets.ISO_8859_1);
        Files.setLastModifiedTime(place(file), a.lastModifiedTime());
      }
    }
  }

  private String rewrite(String text) {
    String bin = Matcher.quoteReplacement(frontEnds.resolve("bin") + "/");
    Matcher tool = TOOL.matcher(text);
    while (tool.find()) {
      compilers.add(tool.group(1));
    }
    String turned = TOOL.matcher(text).replaceAll(bin + "$1");
    return CUDA.matcher(turned).replaceAll(Matcher.quoteReplacement(frontEnds.toString()));
  }

  private static void collect(Pattern pattern, String text, SortedSet<String> names) {
    Matcher m = pattern.matcher(text);
    while (m.find()) {
      names.add(m.group(1));
    }
  }

  /** Returns programs and objects in the copy that nvcc made, relative to the copy. */
  List<String> nvidiaFiles() throws IOException {
    List<String> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
            boolean made = !Files.exists(original(file)) && a.isRegularFile();
            if (made && isNvidia(file)) {
              found.add(folder.relativize(file).toString());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    found.sort(null);
    return found;
  }

  private static boolean isNvidia(Path file) {
    try {
      return EmbeddedCode.isNvidia(ElfFile.read(file));
    } catch (IOException e) {
      return false;
    }
  }
}
