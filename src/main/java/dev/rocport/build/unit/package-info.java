/** The parts of a build: units, objects with their GPU code, and the origins of ported lines. */
@NullMarked
package dev.rocport.build.unit;

import org.jspecify.annotations.NullMarked;
