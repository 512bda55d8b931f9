package dev.rocport.build;

import dev.rocport.buildsystem.make.MakeFile;
import dev.rocport.elf.ElfFile;
import dev.rocport.toolchain.Folders;
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
final class Mirror {
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

  private final Path root;
  private final Path folder;
  private final Path frontEnds;
  private final SortedSet<String> variables = new TreeSet<>();
  private final SortedSet<String> compilers = new TreeSet<>();

  /**
   * @param root the tree
   * @param folder where the copy goes; removed first
   * @param frontEnds the folder that stands for CUDA's
   */
  Mirror(Path root, Path folder, Path frontEnds) {
    this.root = root;
    this.folder = folder;
    this.frontEnds = frontEnds;
  }

  Path folder() {
    return folder;
  }

  /** The folder that stands for CUDA's, and for ROCm's. */
  Path frontEnds() {
    return frontEnds;
  }

  /** Variables of the makefiles that say where CUDA is. */
  SortedSet<String> variables() {
    return variables;
  }

  /** Compilers with a version in their name that the makefiles call. */
  SortedSet<String> compilers() {
    return compilers;
  }

  /** The file of the tree that a file of the copy stands for; other files are themselves. */
  Path original(Path file) {
    return file.startsWith(folder) ? root.resolve(folder.relativize(file)) : file;
  }

  void create(Path out) throws IOException {
    Folders.delete(folder);
    for (Map.Entry<Path, BasicFileAttributes> e : files(out).entrySet()) {
      copy(e.getKey(), e.getValue());
    }
  }

  /** What a build of the tree sees: folders and files, in order. */
  SortedMap<Path, BasicFileAttributes> files(Path out) throws IOException {
    SortedMap<Path, BasicFileAttributes> found = new TreeMap<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes a) {
            boolean skipped =
                !dir.equals(root)
                    && (dir.equals(out)
                        || dir.endsWith(".git")
                        || dir.endsWith(".rocport")
                        || Files.exists(dir.resolve(Builder.MARKER)));
            if (skipped) {
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
    return folder.resolve(root.relativize(file));
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
    Files.copy(file, place(file), LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
    if (a.isRegularFile() && (MakeFile.serves(name) || MADE.matcher(name).matches())) {
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
      return FatBinary.isNvidia(ElfFile.read(file));
    } catch (IOException e) {
      return false;
    }
  }
}
