/** What files declare and define: functions, variables, types, and the names of a project. */
@NullMarked
package dev.rocport.lang.cuda.symbols;

import org.jspecify.annotations.NullMarked;
