/**
 * Finds lanes, waves and workgroups that others wait for or read from, but that never arrive or do
 * not participate.
 */
@NullMarked
package dev.rocport.device.check.sync;

import org.jspecify.annotations.NullMarked;
