/**
 * Decisions of people about single changes of a port: what to leave out, and what to write instead.
 */
@NullMarked
package dev.rocport.port.decide;

import org.jspecify.annotations.NullMarked;
