/** Formats and files independent of ports: tables, YAML, JSON, hashes, folders. */
@NullMarked
package dev.rocport.io;

import org.jspecify.annotations.NullMarked;
