package dev.rocport.buildsystem.command;

/** Topic of a change in a command line; the suffix of the rule id. */
public enum Topic {
  COMPILER,
  PATH,
  FLAG,
  ARCH,
  LIBRARY,
  RDC,
  UNKNOWN
}
