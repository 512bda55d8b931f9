/** What is known about a rule, a CUDA name, a PTX instruction or an nvcc flag. */
@NullMarked
package dev.rocport.explain;

import org.jspecify.annotations.NullMarked;
