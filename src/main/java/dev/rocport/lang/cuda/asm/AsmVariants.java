package dev.rocport.lang.cuda.asm;

import dev.rocport.lang.ptx.Translation;
import java.util.Map;

/** A statement of a macro by what its arguments paste together. */
record AsmVariants(AsmMacro macro, Map<String, Translation.Hip> hip) {}
