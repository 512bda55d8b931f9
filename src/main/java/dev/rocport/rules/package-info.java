/** The rules as data: model, YAML loader, compiled index, and the results of rules for a file. */
@NullMarked
package dev.rocport.rules;

import org.jspecify.annotations.NullMarked;
