package dev.rocport.rules;

/**
 * One row of an API table.
 *
 * @param cuda the CUDA name, header or qualified name
 * @param hip its HIP counterpart; empty if there is none
 * @param roc its counterpart under {@code --libs roc}; empty if that is the same
 * @param kind the kind of name
 * @param needs lowest HIP version whose headers declare it; empty for 5.7 and later
 * @param advice what to do instead, or remarks; may be empty
 * @param family id of the family's rule
 */
public record ApiName(
    String cuda, String hip, String roc, Kind kind, String needs, String advice, String family) {

  /** Sorts of names. */
  public enum Kind {
    FUNCTION,
    TYPE,
    /** A type whose HIP name is not a tag: {@code struct} or {@code enum} before it must go. */
    TYPEDEF,
    ENUM,
    MACRO,
    /** Device function or intrinsic. */
    DEVICE,
    /** Path in an include directive. */
    HEADER,
    /** A namespace: counts only before {@code ::} and after {@code namespace}. */
    NAMESPACE,
    /** A name with {@code ::} in it. */
    QUALIFIED,
    /** A field of a structure, {@code cudaDeviceProp::mpsEnabled}; counts after an object of it. */
    MEMBER,
    /** All names that begin so; written with a star at the end. */
    PREFIX;

    static Kind of(String label) {
      return valueOf(label.toUpperCase(java.util.Locale.ROOT));
    }
  }

  public boolean isSupported() {
    return !hip.isEmpty();
  }
}
