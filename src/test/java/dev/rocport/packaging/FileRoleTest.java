package dev.rocport.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FileRoleTest {
  @ParameterizedTest
  @CsvSource({
    "requirements.txt,REQUIREMENTS",
    "a/dev-requirements.in,REQUIREMENTS",
    "requirements_cuda.txt,REQUIREMENTS",
    "requirements/cuda.txt,REQUIREMENTS",
    "constraints-cu121.txt,REQUIREMENTS",
    "pyproject.toml,PYPROJECT",
    "setup.cfg,SETUP_CFG",
    "Pipfile,PIPFILE",
    "environment.yml,CONDA",
    "envs/conda-gpu.yaml,CONDA",
    "Dockerfile,DOCKERFILE",
    "docker/Dockerfile.gpu,DOCKERFILE",
    "train.dockerfile,DOCKERFILE",
    "Containerfile,DOCKERFILE",
    "docker-compose.yml,COMPOSE",
    "compose.gpu.yaml,COMPOSE",
    ".github/workflows/test.yml,CI",
    ".gitlab-ci.yml,CI",
    "azure-pipelines.yml,CI",
    "docs/requirements.md,OTHER",
    "src/environment.py,OTHER",
    "txt,OTHER",
  })
  void aFileIsKnownByItsPath(String path, FileRole role) {
    assertThat(FileRole.of(path)).isEqualTo(role);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "requirements-rocm.txt",
        "requirements_amd.txt",
        "docker/rocm6/Dockerfile",
        "Dockerfile.cpu",
        "requirements/xpu.txt",
        "env-macos.yml"
      })
  void filesForOtherPlatformsAreUnchanged(String path) {
    assertThat(FileRole.isForRocm(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"requirements-ship.txt", "chip/requirements.txt", "requirements-gpu.txt"})
  void partsOfWordsNameNoPlatform(String path) {
    assertThat(FileRole.isForRocm(path)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "requirements.txt,requirements-rocm.txt",
    "a/requirements_dev.txt,a/requirements_dev_rocm.txt",
    "requirements-cuda.txt,requirements-rocm.txt",
    "requirements/cuda.txt,requirements/rocm.txt",
    "requirements-cu121.txt,requirements-rocm.txt",
    "requirements_cuda12.txt,requirements_rocm.txt",
    "environment.yml,environment-rocm.yml",
    "Dockerfile,Dockerfile.rocm",
    "Dockerfile.cuda,Dockerfile.rocm",
    "docker-compose.yml,docker-compose.rocm.yml",
    "train.dockerfile,train.rocm.dockerfile",
    "barracuda.txt,barracuda-rocm.txt",
  })
  void aSiblingIsNamedLikeTheOriginal(String path, String sibling) {
    assertThat(Paths.sibling(path, true)).isEqualTo(sibling);
  }
}
