package dev.rocport.fleet;

/**
 * What the row of a repository has from elsewhere than its report.
 *
 * @param name of the repository
 * @param location without credentials
 * @param team may be empty
 * @param milliseconds from the start of the task, with the fetch of the repository
 * @param processor milliseconds of processor time, of the process that did the work and of the task
 * @param age commands that the process had run before: it is slow at first, while it loads and
 *     compiles its classes
 */
record Origin(
    String name, String location, String team, long milliseconds, long processor, long age) {}
