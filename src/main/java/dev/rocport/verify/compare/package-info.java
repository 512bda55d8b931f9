/** Comparing what two runs computed: tolerance profiles, statistics of the differences. */
@NullMarked
package dev.rocport.verify.compare;

import org.jspecify.annotations.NullMarked;
