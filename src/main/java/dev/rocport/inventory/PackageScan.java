package dev.rocport.inventory;

import dev.rocport.core.source.SourceFile;
import dev.rocport.inventory.Evidence.Kind;
import dev.rocport.packaging.Mention;
import dev.rocport.packaging.Mentions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Packages and images that are asked for. */
final class PackageScan {
  private static final Pattern TOOLKIT_TAG = Pattern.compile("(\\d+\\.\\d+(?:\\.\\d+)?)(?:-.*)?");
  private static final Pattern TAG_CUDA = Pattern.compile("cuda-?(\\d+\\.\\d+(?:\\.\\d+)?)");
  private static final Pattern TAG_CUDNN = Pattern.compile("cudnn(\\d*)");

  private final ComponentTable table;
  private final Ledger ledger;
  private final SourceFile file;

  PackageScan(ComponentTable table, Ledger ledger, SourceFile file) {
    this.table = table;
    this.ledger = ledger;
    this.file = file;
  }

  void scan() {
    for (Mention m : Mentions.of(file)) {
      int line = file.line(Math.min(m.offset(), Math.max(0, file.length() - 1)));
      if (m.kind() == Mention.Kind.IMAGE) {
        image(m, line);
      } else {
        requirement(m, line);
      }
    }
  }

  private void requirement(Mention m, int line) {
    Kind kind =
        switch (m.kind()) {
          case PIP -> Kind.PIP;
          case CONDA -> Kind.CONDA;
          case APT, IMAGE -> Kind.APT;
        };
    String toolkit = VersionNumber.toolkit(m.name(), m.spec());
    Component c = table.requirement(m);
    String text = m.name() + m.spec();
    if (c != null) {
      String version = VersionNumber.ofSpec(m.spec());
      String shown = version.isEmpty() ? VersionNumber.ofName(m.name()) : version;
      ledger.add(c, new Evidence(kind, file.path(), line, text, shown, 1, purl(m)));
    }
    boolean itself = c != null && c.id().equals("cuda-toolkit");
    if (!toolkit.isEmpty() && !itself) {
      ledger.add(
          table.require("cuda-toolkit"), new Evidence(kind, file.path(), line, text, toolkit));
    }
  }

  private void image(Mention m, int line) {
    Component c = table.image(m);
    if (c == null) {
      return;
    }
    String text = m.spec().isEmpty() ? m.name() : m.name() + ":" + m.spec();
    boolean toolkit = c.id().equals("cuda-toolkit");
    Matcher tag = TOOLKIT_TAG.matcher(m.spec());
    String version = tag.matches() ? tag.group(1) : "";
    ledger.add(c, new Evidence(Kind.IMAGE, file.path(), line, text, version, 1, purl(m)));
    Matcher cuda = TAG_CUDA.matcher(m.spec());
    if (!toolkit && cuda.find()) {
      ledger.add(
          table.require("cuda-toolkit"),
          new Evidence(Kind.IMAGE, file.path(), line, text, cuda.group(1)));
    }
    Matcher cudnn = TAG_CUDNN.matcher(m.spec());
    if (cudnn.find()) {
      ledger.add(
          table.require("cudnn"),
          new Evidence(Kind.IMAGE, file.path(), line, text, cudnn.group(1)));
    }
  }

  /** The package's URL; empty for distributions' packages, whose distribution is not written. */
  private static String purl(Mention m) {
    String version = VersionNumber.ofSpec(m.spec());
    String at = version.matches("[\\w.+!-]+") ? "@" + encoded(version) : "";
    String name = m.name().replaceFirst("\\[.*", "");
    return switch (m.kind()) {
      case PIP -> "pkg:pypi/" + encoded(name) + at;
      case CONDA -> "pkg:conda/" + encoded(name.toLowerCase(Locale.ROOT)) + at;
      case APT -> "";
      case IMAGE -> image(name.toLowerCase(Locale.ROOT), at);
    };
  }

  /** Images of registries other than Docker's name them apart. */
  private static String image(String name, String at) {
    int slash = name.indexOf('/');
    boolean registry = slash > 0 && name.substring(0, slash).matches(".*[.:].*");
    return registry
        ? "pkg:docker/"
            + name.substring(slash + 1)
            + at
            + "?repository_url="
            + encoded(name.substring(0, slash))
        : "pkg:docker/" + name + at;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
