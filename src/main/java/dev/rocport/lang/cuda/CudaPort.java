package dev.rocport.lang.cuda;

import dev.rocport.lang.cuda.condition.GuardChoice;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.rules.Changes;
import java.util.List;

/**
 * The result of the passes over one file, with the data that other rewrite styles need.
 *
 * @param changes edits and findings
 * @param tokens the file's tokens
 * @param guards the conditionals whose conditions the edits change, in source order
 */
public record CudaPort(Changes changes, Tokens tokens, List<GuardChoice> guards) {}
