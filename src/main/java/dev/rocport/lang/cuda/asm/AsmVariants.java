package dev.rocport.lang.cuda.asm;

import dev.rocport.lang.ptx.Translation;
import java.util.Map;

/** The translations of an asm statement in a macro, by the text that its arguments form. */
record AsmVariants(AsmMacro macro, Map<String, Translation.Hip> hip) {}
