package dev.rocport.headers;

import dev.rocport.rules.ApiName;
import dev.rocport.toolchain.HipVersion;

/**
 * A name that headers declare.
 *
 * @param name the name; a field as {@code type::field}
 * @param field whether it is a field of a structure
 * @param needs the first HIP version that has it; empty for all
 */
record HeaderName(String name, boolean field, String needs) {
  static HeaderName of(ApiName row, String name) {
    return new HeaderName(name, row.kind() == ApiName.Kind.MEMBER, row.needs());
  }

  /** Whether the table says that headers of this version have it. */
  boolean expected(HipVersion hip) {
    return needs.isEmpty() || hip.atLeast(HipVersion.parse(needs));
  }
}
