package dev.rocport.buildsystem.command;

/** What a change of a command line is about; rules are named so. */
public enum Topic {
  COMPILER,
  PATH,
  FLAG,
  ARCH,
  LIBRARY,
  RDC,
  UNKNOWN
}
