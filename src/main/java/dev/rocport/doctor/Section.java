package dev.rocport.doctor;

/** The subject of an observation, in report order. */
public enum Section {
  TOOLCHAIN("toolchain"),
  GPU("gpu"),
  SYSTEM("system"),
  ENVIRONMENT("environment"),
  PYTHON("python"),
  PACKAGES("packages"),
  PINS("pins"),
  FIRST_RUN("first run");

  private final String title;

  Section(String title) {
    this.title = title;
  }

  /** The name in reports. */
  public String title() {
    return title;
  }
}
