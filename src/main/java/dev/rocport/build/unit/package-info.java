/** The parts of a build: units, objects with their GPU code, and where ported lines come from. */
@NullMarked
package dev.rocport.build.unit;

import org.jspecify.annotations.NullMarked;
