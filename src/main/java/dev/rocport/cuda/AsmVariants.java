package dev.rocport.cuda;

import dev.rocport.ptx.Translation;
import java.util.Map;

/** A statement of a macro by what its arguments paste together. */
record AsmVariants(AsmMacro macro, Map<String, Translation.Hip> hip) {}
