package dev.rocport.warp;

import dev.rocport.warp.ir.NameSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The decision about a component.
 *
 * @param plans what it means for each file with places that name the warp size
 * @param files the files on whose places and lines it depends
 * @param names the names on whose uses, and the kernels on whose launches it depends
 * @param includers files that were not looked into, by the headers with functions that they may
 *     call
 */
record Verdict(
    SortedMap<String, WarpPlan> plans,
    Set<String> files,
    NameSet names,
    Map<String, Optional<String>> includers) {
  static final Verdict NONE = new Verdict(new TreeMap<>(), Set.of(), NameSet.EMPTY, Map.of());
}
