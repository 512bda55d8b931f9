/** Links programs and libraries, and determines their inputs. */
@NullMarked
package dev.rocport.build.link;

import org.jspecify.annotations.NullMarked;
