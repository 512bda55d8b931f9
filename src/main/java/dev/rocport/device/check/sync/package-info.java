/** Looks for lanes, waves and workgroups that are not where others count on them. */
@NullMarked
package dev.rocport.device.check.sync;

import org.jspecify.annotations.NullMarked;
