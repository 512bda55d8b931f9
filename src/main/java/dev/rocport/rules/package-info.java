/**
 * The rules as data: model, YAML loader, compiled index, and what a rule leaves behind in a file.
 */
@NullMarked
package dev.rocport.rules;

import org.jspecify.annotations.NullMarked;
