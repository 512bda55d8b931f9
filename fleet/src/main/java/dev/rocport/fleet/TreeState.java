package dev.rocport.fleet;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The names, sizes and times of the files of a tree in one number: two equal states, before and
 * after an audit, show that it saw one state of the tree.
 *
 * @param bytes of the files
 */
record TreeState(long files, long bytes, long hash) {
  static TreeState of(Path root) throws IOException {
    long[] state = new long[3];
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            // An audit does not look there, and a fetch in another window writes there.
            return folder.endsWith(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            long one = root.relativize(file).toString().hashCode();
            one = one * 31 + attributes.size();
            one = one * 31 + attributes.lastModifiedTime().toMillis();
            state[0]++;
            state[1] += attributes.size();
            // A sum, because the order of a walk is not defined.
            state[2] += one * 0x9E3779B97F4A7C15L;
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return new TreeState(state[0], state[1], state[2]);
  }
}
