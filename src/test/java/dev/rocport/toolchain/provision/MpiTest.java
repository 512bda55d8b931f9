package dev.rocport.toolchain.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MpiTest {
  private static final String SINGLE_COPY = "OMPI_MCA_btl_vader_single_copy_mechanism";

  @TempDir private Path folder;

  private Map<String, String> windows(String symbols, Map<String, String> environment)
      throws Exception {
    Path program = Files.writeString(folder.resolve("program"), "\u007fELF\0" + symbols);
    Map<String, String> variables = new HashMap<>(environment);
    Mpi.forWindows(program.toString(), variables);
    return variables;
  }

  @Test
  void ranksWithRocshmemOfAmdReadEachOther() throws Exception {
    assertThat(windows("MPI_Win_create\0_ZN8rocshmem10IPCBackendC1Ev", Map.of()))
        .containsExactly(Map.entry(SINGLE_COPY, "cma"));
  }

  @Test
  void ranksOfOtherProgramsDoNot() throws Exception {
    assertThat(windows("MPI_Win_create\0MPI_Put", Map.of())).isEmpty();
    assertThat(windows("rocshmem_init\0MPI_Init", Map.of())).isEmpty();
    assertThat(Mpi.settings()).containsEntry(SINGLE_COPY, "none");
  }

  @Test
  void theUsersSettingStays() throws Exception {
    Map<String, String> mine = Map.of(SINGLE_COPY, "none");
    assertThat(windows("MPI_Win_create\0rocshmem", mine)).isEqualTo(mine);
  }

  @Test
  void looksIntoTheProgramOfAScriptOfLibtool() throws Exception {
    Files.createDirectory(folder.resolve(".libs"));
    Files.writeString(folder.resolve(".libs/program"), "MPI_Win_create\0rocshmem");
    assertThat(windows("#!/bin/sh", Map.of())).containsEntry(SINGLE_COPY, "cma");
  }
}
