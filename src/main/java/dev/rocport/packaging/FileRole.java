package dev.rocport.packaging;

import java.util.Locale;
import java.util.regex.Pattern;

/** The role of a file, by its path. */
enum FileRole {
  REQUIREMENTS,
  PYPROJECT,
  CONDA,
  SETUP_CFG,
  PIPFILE,
  DOCKERFILE,
  COMPOSE,
  CI,
  SPACK,
  OTHER;

  private static final Pattern REQUIREMENTS_NAME =
      Pattern.compile("(.*[._-])?(requirements?|constraints?|reqs)([._-].*)?\\.(txt|in)");
  private static final Pattern IN_FOLDER = Pattern.compile("(.*/)?requirements/[^/]+\\.(txt|in)");
  private static final Pattern CONDA_NAME =
      Pattern.compile("(.*[._-])?(environment|conda|env)([._-].*)?\\.ya?ml");
  private static final Pattern DOCKER_NAME =
      Pattern.compile("(docker|container)file([._-].*)?|.*\\.(docker|container)file");
  private static final Pattern COMPOSE_NAME =
      Pattern.compile("(docker-)?compose([._-].*)?\\.ya?ml|.*[._-]compose\\.ya?ml");
  private static final Pattern CI_PATH =
      Pattern.compile(
          "(.*/)?\\.github/(workflows|actions)/.*\\.ya?ml|(.*/)?\\.gitlab-ci.*\\.ya?ml"
              + "|(.*/)?azure-pipelines.*\\.ya?ml|(.*/)?\\.circleci/.*\\.ya?ml"
              + "|(.*/)?jenkinsfile([._-].*)?|(.*/)?\\.jenkins/.*|(.*/)?\\.buildkite/.*\\.ya?ml"
              + "|(.*/)?\\.devcontainer(/.*)?/?\\.?devcontainer\\.json|(.*/)?\\.devcontainer\\.json"
              + "|(.*/)?(\\.travis|\\.drone|\\.cirrus|appveyor|bitbucket-pipelines|cloudbuild)\\.ya?ml"
              + "|(.*/)?\\.woodpecker(/.*)?\\.ya?ml|(.*/)?\\.tekton/.*\\.ya?ml");

  private static final Pattern OTHER_PLATFORM =
      Pattern.compile(
          "(?<![a-z])(rocm|amd|amdgpu|hip|xpu|tpu|hpu|npu|gaudi|neuron|cpu|mps|macos|darwin|windows"
              + "|dcu|musa)\\d*(?![a-z])");

  /** Returns the role of a file; most have no ending with which an expression matches. */
  static FileRole of(String path) {
    String lower = path.toLowerCase(Locale.ROOT);
    String name = Paths.name(lower);
    boolean text = name.endsWith(".txt") || name.endsWith(".in");
    if (text && (REQUIREMENTS_NAME.matcher(name).matches() || IN_FOLDER.matcher(lower).matches())) {
      return REQUIREMENTS;
    }
    if (name.equals("pyproject.toml")) {
      return PYPROJECT;
    }
    if (name.equals("setup.cfg")) {
      return SETUP_CFG;
    }
    if (name.equals("pipfile")) {
      return PIPFILE;
    }
    if (name.equals("package.py")) {
      return SPACK;
    }
    boolean yaml = name.endsWith(".yml") || name.endsWith(".yaml");
    boolean ci = yaml || name.endsWith(".json") || lower.contains("jenkins");
    if (ci && CI_PATH.matcher(lower).matches()) {
      return CI;
    }
    if (yaml && COMPOSE_NAME.matcher(name).matches()) {
      return COMPOSE;
    }
    if (yaml && CONDA_NAME.matcher(name).matches()) {
      return CONDA;
    }
    boolean container = name.contains("docker") || name.contains("container");
    return container && DOCKER_NAME.matcher(name).matches() ? DOCKERFILE : OTHER;
  }

  /**
   * Returns true for a file that is for AMD GPUs, or for another platform that is not NVIDIA's, by
   * name.
   */
  static boolean isForRocm(String path) {
    return OTHER_PLATFORM.matcher(path.toLowerCase(Locale.ROOT)).find();
  }
}
