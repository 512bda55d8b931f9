package dev.rocport.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rocport.io.TsvTable;
import dev.rocport.rules.BuiltInText;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TablesTest {
  private static final List<TsvTable.Row> PACKAGES =
      BuiltInText.table("packages/python.tsv", "package\taction\ttarget\tsince\twhy").rows();

  @Test
  void everyRowHasAReasonAndReplacementsHaveAName() {
    assertThat(PACKAGES).hasSizeGreaterThan(300);
    for (TsvTable.Row r : PACKAGES) {
      assertThat(r.cell(4)).as(r.where()).isNotBlank();
      assertThat(r.cell(2).isEmpty()).as(r.where()).isEqualTo(!r.cell(1).equals("replace"));
      if (!r.cell(0).contains("*") && !r.cell(0).contains("[") && !r.cell(0).startsWith("git:")) {
        assertThat(r.cell(0)).as(r.where()).isEqualTo(Requirement.normal(r.cell(0)));
      }
    }
    assertThat(PACKAGES.stream().map(r -> r.cell(0) + " " + r.cell(3))).doesNotHaveDuplicates();
    assertThat(PACKAGES.stream().map(r -> r.cell(0))).isSorted();
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia-cublas-cu12,DROP",
    "nvidia_cuda_nvrtc_cu12,DROP",
    "nvidia-something-new-cu13,DROP",
    "something-cu118,MANUAL",
    "nvidia-dali-cuda120,NONE",
    "cupy_cuda12x,MANUAL",
    "Torch,ROCM_INDEX",
    "jax,CHECK",
    "'jax[cuda12]',MANUAL",
    "'jax[cuda12_local]',MANUAL",
    "'tensorflow[and-cuda]',MANUAL",
    "'torch[opt-einsum]',ROCM_INDEX",
  })
  void namesAreLookedUpAsPipDoes(String text, PackageTable.Action action) {
    Requirement r = Requirement.parse(text).orElseThrow();
    assertThat(PackageTable.find(r, "6.4").map(PackageTable.Row::action)).contains(action);
  }

  @Test
  void aRowMayCountForNewerVersionsOfRocmOnly() {
    Requirement r = Requirement.parse("cupy-cuda12x").orElseThrow();
    assertThat(PackageTable.find(r, "7.0").map(PackageTable.Row::target)).contains("cupy-rocm-7-0");
    assertThat(PackageTable.find(r, "7.10").map(PackageTable.Row::target))
        .contains("cupy-rocm-7-0");
  }

  @Test
  void unknownNamesAreNotFound() {
    for (String name : List.of("numpy", "pytorch-triton-rocm", "rocm", "cudatext", "document")) {
      assertThat(PackageTable.find(Requirement.parse(name).orElseThrow(), "6.4")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "torch==2.3.0|2.3.0|6.0",
        "torch>=2.0|2.9.1|6.4",
        "torch>=2.0,<2.4|2.3.1|6.0",
        "torch~=2.5.0|2.5.1|6.2",
        "torch==2.1.*|2.1.2|5.6",
        "torch!=2.9.1,>=2.8|2.9.0|6.4",
        "torch<2|1.13.1|5.2",
        "torchvision==0.18.1+cu121|2.3.1|6.0",
        "torch==99||",
        "torch>3||",
      })
  void theReleaseOfTorchFollowsFromTheVersion(String text, String torch, String rocm) {
    Optional<TorchReleases.Release> release =
        TorchReleases.of(Requirement.parse(text).orElseThrow(), "6.4");
    assertThat(release.map(TorchReleases.Release::torch)).isEqualTo(Optional.ofNullable(torch));
    assertThat(release.map(TorchReleases.Release::rocm)).isEqualTo(Optional.ofNullable(rocm));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "nvidia/cuda:12.4.1-devel-ubuntu22.04|rocm/dev-ubuntu-22.04:6.4-complete",
        "docker.io/nvidia/cuda:12.6.3-base-ubuntu24.04|rocm/dev-ubuntu-24.04:6.4-complete",
        "nvidia/cuda:11.8.0-devel-centos7|''",
        "nvcr.io/nvidia/pytorch:24.03-py3|rocm/pytorch:latest",
        "pytorch/pytorch|rocm/pytorch:latest",
        "pytorch/pytorch:2.3.0-cuda12.1-cudnn8-runtime|rocm/pytorch:latest",
        "nvcr.io/nvidia/tritonserver:24.05-py3|''",
        "python:3.11|-",
        "ubuntu|-",
        "scratch|-",
      })
  void imagesAreLookedUpByTheirWholeName(String image, String rocm) {
    assertThat(Images.of(image, "6.4").map(Images.Twin::name)).isEqualTo(Optional.ofNullable(rocm));
  }
}
