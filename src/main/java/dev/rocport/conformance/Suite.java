package dev.rocport.conformance;

import dev.rocport.toolchain.packages.PackageLock;
import dev.rocport.toolchain.packages.PackageSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A test suite of AMD, as Debian packages hold it. Paths are relative to the folder where the
 * packages are unpacked; {@code @} stands for that folder in arguments and variables.
 *
 * @param name as the command line has it
 * @param title what people call the tested library
 * @param form how its programs list and run tests
 * @param packages that it consists of; the first one holds the tested library
 * @param programs patterns of its test programs; a name that ends with {@code .cpp} is a source of
 *     rocport instead, which is compiled and linked with the library {@code lib} and the suite's
 *     name
 * @param preloads libraries of the HIP runtime that its programs load first, relative to the
 *     runtime
 * @param arguments for each program
 * @param variables for each program
 * @param start the folder that programs start in; empty for one of their own
 * @param sample what a quick run has
 * @param obstacle why it cannot run yet; empty if it can
 * @param targets the GPUs that the unpacked packages hold code for, beside gfx90a
 */
public record Suite(
    String name,
    String title,
    Form form,
    List<String> packages,
    List<String> programs,
    List<String> preloads,
    List<String> arguments,
    Map<String, String> variables,
    Optional<String> start,
    Sample sample,
    Optional<String> obstacle,
    List<String> targets) {

  public Suite {
    packages = List.copyOf(packages);
    programs = List.copyOf(programs);
    preloads = List.copyOf(preloads);
    arguments = List.copyOf(arguments);
    variables = Map.copyOf(variables);
    targets = List.copyOf(targets);
  }

  /** Whether it can run on a GPU. */
  public boolean runsOn(String target) {
    return target.equals(PackageLock.TARGET) || targets.contains(target);
  }

  /** A suite for gfx90a alone. */
  public Suite(
      String name,
      String title,
      Form form,
      List<String> packages,
      List<String> programs,
      List<String> preloads,
      List<String> arguments,
      Map<String, String> variables,
      Optional<String> start,
      Sample sample,
      Optional<String> obstacle) {
    this(
        name, title, form, packages, programs, preloads, arguments, variables, start, sample,
        obstacle, List.of());
  }

  /** What is downloaded for it. */
  public PackageSet set() {
    return new PackageSet(name, packages);
  }

  /** The suite with about so many tests in a quick run. */
  public Suite withSample(int number) {
    return new Suite(
        name,
        title,
        form,
        packages,
        programs,
        preloads,
        arguments,
        variables,
        start,
        new Sample(number, sample.names()),
        obstacle,
        targets);
  }

  /** Collects the entries of a suite. */
  static final class Builder {
    private final String name;
    private String title = "";
    private Form form = Form.GTEST;
    private Sample sample = Sample.of(1);
    private Optional<String> start = Optional.empty();
    private Optional<String> obstacle = Optional.empty();
    private final List<String> targets = new ArrayList<>();
    private final List<String> packages = new ArrayList<>();
    private final List<String> programs = new ArrayList<>();
    private final List<String> preloads = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();

    Builder(String name) {
      this.name = name;
    }

    /** Adds an entry; false if there is no such entry. */
    boolean add(String entry, String value) {
      switch (entry) {
        case "title" -> title = value;
        case "form" -> form = Form.of(value);
        case "sample" -> sample = new Sample(Integer.parseInt(value), sample.names());
        case "sampled" -> sample = new Sample(sample.tests(), Pattern.compile(value));
        case "start" -> start = Optional.of(value);
        case "obstacle" -> obstacle = Optional.of(value);
        case "target" -> targets.add(value);
        case "package" -> packages.add(value);
        case "program" -> programs.add(value);
        case "preload" -> preloads.add(value);
        case "argument" -> arguments.add(value);
        case "variable" -> {
          int equals = value.indexOf('=');
          variables.put(value.substring(0, equals), value.substring(equals + 1));
        }
        default -> {
          return false;
        }
      }
      return true;
    }

    Suite build() {
      return new Suite(
          name, title, form, packages, programs, preloads, arguments, variables, start, sample,
          obstacle, targets);
    }
  }
}
