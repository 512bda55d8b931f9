package dev.rocport.port;

/** A target that writes ported files, and the files that they need in addition. */
abstract class OutputTarget implements Target {
  final ShimHeaders shims;
  final OutputNames names;

  OutputTarget(ShimHeaders shims, OutputNames names) {
    this.shims = shims;
    this.names = names;
  }

  @Override
  public final void header(String name, String content) {
    shims.provide(name, content);
  }

  @Override
  public final void added(String path, AddedFile file) {
    shims.add(path, file);
  }
}
