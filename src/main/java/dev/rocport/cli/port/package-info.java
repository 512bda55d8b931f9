/** {@code rocport port}, and {@code isolation}, which proves single-source ports. */
@NullMarked
package dev.rocport.cli.port;

import org.jspecify.annotations.NullMarked;
