package dev.rocport.verify.matrix;

/**
 * Hashes of what decides a result.
 *
 * @param input of all: the program's sources and recordings, and what the other hashes are of
 * @param settings of rocport, its rules and the options: equal for all results of a verification
 * @param platform of toolchain, runtime and libraries: equal for all on one kind of device
 */
public record ResultKey(String input, String settings, String platform) {}
