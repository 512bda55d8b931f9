package dev.rocport.verify;

import dev.rocport.core.result.FileResult;
import dev.rocport.core.result.VerifyInfo;
import java.util.List;

/**
 * The result of a verification.
 *
 * @param files the findings of ports, builds and runs, by file
 * @param info runs, tensors, checks
 */
public record Verification(List<FileResult> files, VerifyInfo info) {
  public Verification {
    files = List.copyOf(files);
  }
}
