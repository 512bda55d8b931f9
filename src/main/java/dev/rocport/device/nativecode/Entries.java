package dev.rocport.device.nativecode;

import java.util.List;

/**
 * Where a native function can begin, and what it needs.
 *
 * @param places the indices of instructions at which it can begin, in the order of their numbers
 * @param lengths the instructions from each to the first that only the interpreter knows; 0 where
 *     that is the first
 * @param vectors vector registers that the wave must have
 * @param accumulators accumulation registers that it must have
 */
record Entries(List<Integer> places, List<Integer> lengths, int vectors, int accumulators) {}
