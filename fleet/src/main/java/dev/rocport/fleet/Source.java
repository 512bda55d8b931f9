package dev.rocport.fleet;

import java.io.Serializable;

/**
 * Where a repository comes from.
 *
 * @param key unique, and the same in each run: the name and a hash of the location
 * @param name the last part of the location
 * @param location an absolute path or a URL without credentials
 * @param credentials of the URL, as {@code user:password}; empty if none
 * @param team who owns it; may be empty
 * @param kind what is at the location
 * @param size bytes as far as known: only for the order of the work
 */
record Source(
    String key, String name, String location, String credentials, String team, Kind kind, long size)
    implements Serializable {
  /** What is at a location. */
  enum Kind {
    FOLDER,
    ARCHIVE,
    /** An archive that Hadoop's client reads. */
    REMOTE_ARCHIVE,
    GIT
  }

  Source withSize(long bytes) {
    return new Source(key, name, location, credentials, team, kind, bytes);
  }

  /** Without the credentials: a log may contain it. */
  @Override
  public String toString() {
    return location;
  }
}
