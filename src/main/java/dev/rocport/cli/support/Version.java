package dev.rocport.cli.support;

import picocli.CommandLine.IVersionProvider;

/** The program's version, from the jar's manifest if there is one. */
public final class Version implements IVersionProvider {
  public static String current() {
    String v = Version.class.getPackage().getImplementationVersion();
    return v == null ? "development" : v;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"rocport " + current()};
  }
}
