package dev.rocport.device.check.sync;

import dev.rocport.device.check.Site;

/** Two places, the one that comes first in its file first. */
record Places(Site first, Site second) {

  static Places inOrder(Site a, Site b) {
    return file(a).equals(file(b)) && line(b) < line(a) ? new Places(b, a) : new Places(a, b);
  }

  private static String file(Site site) {
    return site.source().substring(0, Math.max(0, site.source().lastIndexOf(':')));
  }

  private static int line(Site site) {
    String source = site.source();
    return source.isEmpty()
        ? 0
        : Integer.parseInt(source, source.lastIndexOf(':') + 1, source.length(), 10);
  }
}
