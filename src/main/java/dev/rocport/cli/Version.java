package dev.rocport.cli;

import picocli.CommandLine.IVersionProvider;

/** The program's version, from the jar's manifest where there is one. */
final class Version implements IVersionProvider {
  static String current() {
    String v = Version.class.getPackage().getImplementationVersion();
    return v == null ? "development" : v;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"rocport " + current()};
  }
}
