/** Compares the results of two runs: tolerance profiles, statistics of the differences. */
@NullMarked
package dev.rocport.verify.compare;

import org.jspecify.annotations.NullMarked;
