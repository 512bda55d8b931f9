/** Assesses findings: suppressions, baselines, effort, totals. */
@NullMarked
package dev.rocport.assess;

import org.jspecify.annotations.NullMarked;
