package dev.rocport.lang.cuda;

/** What a pass leaves for others: their order follows from it. */
enum Fact {
  /** Which branches of conditionals HIP compiles. */
  BRANCHES,
  /** Tokens that an edit takes away, which edits of names leave alone. */
  DROPPED_TOKENS,
  /** Edits of names and calls of the API, which edits of whole expressions take back. */
  NAMES,
  /** Edits of code, which a pass that moves code takes along. */
  CODE,
  /** That something that is written needs the header of the HIP runtime. */
  RUNTIME_EDITS,
  /** That the file needs the header of the HIP runtime. */
  RUNTIME,
  /** Which headers of rocport the file needs. */
  SHIMS
}
