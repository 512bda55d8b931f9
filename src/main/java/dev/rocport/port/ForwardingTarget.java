package dev.rocport.port;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.source.SourceFile;
import dev.rocport.core.source.TreeEntry;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Passes ported files to another target, after a change to them. */
abstract class ForwardingTarget implements Target {
  private final Target inner;
  private final String suffix;

  /**
   * Forwards to a target.
   *
   * @param settings identifies what the change depends on
   */
  ForwardingTarget(Target inner, String settings) {
    this.inner = inner;
    this.suffix = "-" + settings;
  }

  final Target inner() {
    return inner;
  }

  @Override
  public byte[] read(TreeEntry entry) throws IOException {
    return inner.read(entry);
  }

  @Override
  public boolean readsDisk() {
    return inner.readsDisk();
  }

  @Override
  public boolean isSearched(TreeEntry entry) {
    return inner.isSearched(entry);
  }

  @Override
  public void searched(TreeEntry entry) {
    inner.searched(entry);
  }

  @Override
  public Optional<String> lastKey(String tree) throws IOException {
    return inner.lastKey(tree + suffix);
  }

  @Override
  public @Nullable FileResult unchanged(TreeEntry entry, String key) throws IOException {
    return inner.unchanged(entry, key);
  }

  @Override
  public boolean takesParts() {
    return inner.takesParts();
  }

  @Override
  public boolean wantsAll() {
    return inner.wantsAll();
  }

  @Override
  public boolean wants(TreeEntry entry) {
    return inner.wants(entry);
  }

  @Override
  public void begin(Supplier<String> key) {
    inner.begin(() -> key.get() + suffix);
  }

  @Override
  public void header(String name, String content) {
    inner.header(name, content);
  }

  @Override
  public void added(String path, AddedFile file) {
    inner.added(path, file);
  }

  @Override
  public @Nullable FileResult known(TreeEntry entry, SourceFile file) throws IOException {
    return inner.known(entry, file);
  }

  @Override
  public void done(int index) {
    inner.done(index);
  }

  @Override
  public FileResult passed(int index, TreeEntry entry) throws IOException {
    return inner.passed(index, entry);
  }
}
