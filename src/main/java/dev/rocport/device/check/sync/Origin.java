package dev.rocport.device.check.sync;

/**
 * A shuffle that read lanes that did not take part.
 *
 * @param pc an index of the wave's code, within the instruction
 * @param readers the lanes that read them
 * @param sources the lanes that were read
 */
record Origin(int pc, long readers, long sources) {}
