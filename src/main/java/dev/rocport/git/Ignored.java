package dev.rocport.git;

import dev.rocport.io.PathText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jgit.ignore.IgnoreNode;

/** The untracked files that git ignores. */
final class Ignored {
  private final Path root;
  private final IgnoreNode ofRepository;
  private final Map<String, IgnoreNode> ofFolders = new HashMap<>();
  private final Map<String, Boolean> folders = new HashMap<>();

  Ignored(GitFolder git) throws IOException {
    this.root = git.root();
    Path folder = git.repository().getCommonDirectory().toPath();
    this.ofRepository = read(folder.resolve("info").resolve("exclude"));
  }

  /** Returns whether a file, or a folder above it, is ignored. */
  boolean holds(String path) throws IOException {
    int slash = path.lastIndexOf('/');
    return (slash >= 0 && folder(path.substring(0, slash))) || matches(path, false);
  }

  private boolean folder(String path) throws IOException {
    Boolean known = folders.get(path);
    if (known == null) {
      int slash = path.lastIndexOf('/');
      known = (slash >= 0 && folder(path.substring(0, slash))) || matches(path, true);
      folders.put(path, known);
    }
    return known;
  }

  /** The file {@code .gitignore} that is nearest to the path decides. */
  private boolean matches(String path, boolean isFolder) throws IOException {
    for (int slash = path.lastIndexOf('/'); ; slash = path.lastIndexOf('/', slash - 1)) {
      String folder = slash < 0 ? "" : path.substring(0, slash);
      Boolean told = node(folder).checkIgnored(path.substring(slash + 1), isFolder);
      if (told != null) {
        return told;
      }
      if (slash < 0) {
        return Boolean.TRUE.equals(ofRepository.checkIgnored(path, isFolder));
      }
    }
  }

  private IgnoreNode node(String folder) throws IOException {
    IgnoreNode node = ofFolders.get(folder);
    if (node == null) {
      node = read(PathText.resolve(root, folder).resolve(".gitignore"));
      ofFolders.put(folder, node);
    }
    return node;
  }

  private static IgnoreNode read(Path file) throws IOException {
    IgnoreNode node = new IgnoreNode();
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      try (InputStream in = Files.newInputStream(file)) {
        node.parse(in);
      }
    }
    return node;
  }
}
