package dev.rocport.fleet;

import java.io.Serializable;

/**
 * How processes run command lines of rocport.
 *
 * @param home rocport's folder
 * @param classPath of rocport, with absolute paths
 * @param folder where they run
 * @param timeLimit seconds for one command
 * @param memoryLimit heap, in MiB
 * @param commands of one process
 */
record WorkerSettings(
    String home, String classPath, String folder, int timeLimit, int memoryLimit, int commands)
    implements Serializable {}
