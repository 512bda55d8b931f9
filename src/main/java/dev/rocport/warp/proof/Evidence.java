package dev.rocport.warp.proof;

import dev.rocport.warp.ir.Function;
import dev.rocport.warp.ir.NameSet;
import java.util.List;
import java.util.Map;

/**
 * What the interpretation of one kernel, and of all functions that it calls, showed.
 *
 * @param sites the places that name the warp size, in order; without any, only {@code functions}
 *     and {@code asked} are filled
 * @param obstacles what speaks against wider warps
 * @param loose numbers that may speak of a warp, of which no site is made
 * @param plain the places that were just numbers
 * @param functions the functions that ran, by {@link Function#key}
 * @param ladders number of ladders of shuffles
 * @param asked names of functions and constants that were looked up: while they mean the same, the
 *     evidence is the same
 */
public record Evidence(
    List<Site> sites,
    List<Obstacle> obstacles,
    List<Site> loose,
    List<Trace.Place> plain,
    Map<String, Function> functions,
    int ladders,
    NameSet asked) {}
