/** The forms in which a result can be written: {@link dev.rocport.render.ReportForm} lists them. */
@NullMarked
package dev.rocport.render;

import org.jspecify.annotations.NullMarked;
