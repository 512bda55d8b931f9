package dev.rocport.lang.cuda;

import dev.rocport.lang.cuda.condition.GuardChoice;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.rules.Changes;
import java.util.List;

/**
 * What the passes made of one file, with what a rewriting of another form needs to know.
 *
 * @param changes edits and findings
 * @param tokens the file's tokens
 * @param guards the conditionals whose conditions the edits change, in order of place
 */
public record CudaPort(Changes changes, Tokens tokens, List<GuardChoice> guards) {}
