package dev.rocport.port;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The content of a ported file with the edits of some rules only. */
interface Partial {
  /** For files whose edits belong together. */
  Partial NONE = rules -> null;

  /** Returns the content; null if these edits cannot be made without the others. */
  byte @Nullable [] with(Predicate<String> rules);
}
