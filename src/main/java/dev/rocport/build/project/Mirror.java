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
 * A fresh copy of a tree for make to work in, so that nothing is written among the sources. In its
 * makefiles, absolute paths of CUDA and of compilers are turned to the front ends.
 */
public final class Mirror {
  /** Makefiles that are made of templates. */
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

  /** Where the copy lies when there are folders above it, and the link to it. */
  private static final String ABOVE = "above";

  private static final String TREE = "tree";

  /** Bytes of the largest file that is copied in place of a link to it. */
  private static final long LARGEST = 1 << 20;

  private final Path root;
  private final Path folder;
  private final Path frontEnds;

  /** What lies above the folder, and where its copy starts: both the folder's own if nothing is. */
  private final Path top;

  private final Path topCopy;
  private final Above above;
  private final SortedSet<String> variables = new TreeSet<>();
  private final SortedSet<String> compilers = new TreeSet<>();

  /**
   * @param root the tree
   * @param folder where the copy goes; removed first
   * @param frontEnds the folder that stands for CUDA's
   */
  public Mirror(Path root, Path folder, Path frontEnds) {
    this(root, folder, frontEnds, root, folder, Above.none(root));
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
   * A copy of a tree with what its build reads beside it, laid out so that {@code ..} leads from
   * copy to copy.
   *
   * @param out the folder of the build; the copy is {@code tree} in it
   * @throws PlanException if the tree names folders absurdly far up
   */
  public static Mirror of(Path root, Path out, Path frontEnds) throws IOException, PlanException {
    Mirror alone = new Mirror(root, out.resolve(TREE), frontEnds);
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

  /** Whether a link with this name in the folder of a build is a copy's own. */
  public static boolean isCopy(Path out, Path file) {
    return file.startsWith(out.resolve(TREE)) || file.startsWith(out.resolve(ABOVE));
  }

  /** What the tree names beside itself that was not copied. */
  List<Above.Left> left() {
    return above.left();
  }

  /** How debug information in the copy names the tree's sources. */
  public DebugNames debugNames() {
    return new DebugNames(folder, root, above.levels());
  }

  /** A folder that includes {@code rocport/...} find the port's headers in. */
  Optional<Path> headers() {
    return Files.isDirectory(folder.resolve("rocport"))
        ? Optional.of(folder)
        : above.headers().map(h -> place(h).resolveSibling(""));
  }

  /** Whether a file is of the tree, or of what was copied beside it. */
  boolean isOwn(Path file) {
    return file.startsWith(topCopy) || file.startsWith(root);
  }

  /** A file as reports show it: from the tree's root. */
  String shown(Path file) {
    return isOwn(file) ? root.relativize(original(file)).toString() : file.toString();
  }

  /**
   * A folder of headers as a compiler that runs in the copy is to search it: in the copy, or where
   * it is from the tree when it was not copied.
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

  /** The folder that stands for CUDA's, and for ROCm's. */
  Path frontEnds() {
    return frontEnds;
  }

  /** Variables of the makefiles that say where CUDA is. */
  public SortedSet<String> variables() {
    return variables;
  }

  /** Compilers with a version in their name that the makefiles call. */
  SortedSet<String> compilers() {
    return compilers;
  }

  /** The file of the tree that a file of the copy stands for; other files are themselves. */
  public Path original(Path file) {
    return file.startsWith(topCopy) ? top.resolve(topCopy.relativize(file)) : file;
  }

  public void create(Path out) throws IOException {
    Folders.delete(folder);
    boolean nested = !top.equals(root) || !topCopy.equals(folder);
    if (nested) {
      Folders.delete(out.resolve(TREE));
    }
    Folders.delete(out.resolve(ABOVE));
    for (Map.Entry<Path, BasicFileAttributes> e : files(out).entrySet()) {
      copy(e.getKey(), e.getValue());
    }
    for (Map.Entry<Path, BasicFileAttributes> e : above.files().entrySet()) {
      copy(e.getKey(), e.getValue());
    }
    if (nested) {
      Files.createSymbolicLink(out.resolve(TREE), out.relativize(folder));
    }
  }

  /** Copies what lies beside the tree and is not as it was copied. */
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

  /** Folders that no build reads: a repository's own, a port's state, those of other builds. */
  static boolean isLeftOut(Path dir) {
    return dir.endsWith(".git")
        || dir.endsWith(".rocport")
        || Files.exists(dir.resolve(BuildOptions.MARKER));
  }

  /** What a build of the tree sees: folders and files, in order. */
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

  /** Copies a file over the one in the copy. */
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
      return; // an object that is already there is not this build's
    }
    Files.createDirectories(place(file).resolveSibling(""));
    if (a.isSymbolicLink() && !file.startsWith(root) && !above.staysInside(file)) {
      // A link out of the copy would let the build write there.
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
      String turned = turn(text);
      if (!turned.equals(text)) {
        Files.writeString(place(file), turned, StandardCharsets.ISO_8859_1);
        Files.setLastModifiedTime(place(file), a.lastModifiedTime());
      }
    }
  }

  private String turn(String text) {
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

  /** Programs and objects in the copy that NVIDIA's compiler made, relative to it. */
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
