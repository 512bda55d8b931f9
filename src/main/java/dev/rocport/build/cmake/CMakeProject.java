package dev.rocport.build.cmake;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;

/**
 * A project as its CMake files describe it.
 *
 * @param targets by name, aliases too, in the order in which they were made
 * @param sourceLanguages languages set for single sources
 * @param notes what was not run or not found
 */
public record CMakeProject(
    Map<String, CMakeTarget> targets, Map<Path, String> sourceLanguages, List<String> notes) {

  /**
   * Reads the CMakeLists.txt of a folder and those it adds.
   *
   * @param root the folder
   * @param binary where configured files go
   * @throws CMakeException for whatever is not followed
   */
  public static CMakeProject read(Path root, Path binary) throws CMakeException, IOException {
    Map<String, CMakeTarget> targets = new LinkedHashMap<>();
    List<String> notes = new ArrayList<>();
    Scope scope = Scope.root();
    for (Entry<String, String> e : start(root, binary).entrySet()) {
      scope.set(e.getKey(), e.getValue());
    }
    new Evaluator(root, binary, targets, notes).folder(root, scope, new Directory());
    Map<Path, String> languages = new LinkedHashMap<>();
    for (CMakeTarget t : targets.values()) {
      for (Path source : t.sources()) {
        String language = scope.get(TargetCommands.sourceKey(source, "LANGUAGE"));
        if (Scope.isTrue(
            scope.get(TargetCommands.sourceKey(source, "CUDA_SOURCE_PROPERTY_FORMAT")))) {
          language = "CUDA";
        }
        if (!language.isEmpty()) {
          languages.put(source, language);
        }
      }
    }
    return new CMakeProject(targets, languages, notes);
  }

  private static Map<String, String> start(Path root, Path binary) {
    Map<String, String> v = new LinkedHashMap<>();
    v.put("CMAKE_SOURCE_DIR", root.toString());
    v.put("CMAKE_BINARY_DIR", binary.toString());
    v.put("CMAKE_VERSION", "3.31.0");
    v.put("CMAKE_SYSTEM_NAME", "Linux");
    v.put("CMAKE_SYSTEM_PROCESSOR", "x86_64");
    v.put("CMAKE_HOST_SYSTEM_NAME", "Linux");
    v.put("CMAKE_SIZEOF_VOID_P", "8");
    v.put("UNIX", "1");
    v.put("LINUX", "1");
    v.put("CMAKE_C_COMPILER_ID", "Clang");
    v.put("CMAKE_CXX_COMPILER_ID", "Clang");
    v.put("CMAKE_CXX_COMPILER_VERSION", "19.1");
    // What the project would ask an NVIDIA build: its answers select the branches to be ported.
    v.put("CMAKE_CUDA_COMPILER", "nvcc");
    v.put("CMAKE_CUDA_COMPILER_ID", "NVIDIA");
    v.put("CMAKE_CUDA_COMPILER_VERSION", "12.8");
    v.put("CUDA_TOOLKIT_ROOT_DIR", "/nonexistent/cuda");
    return v;
  }
}
