/**
 * Java code that uses CUDA: bindings through the foreign function interface, JNA and JNI, kernels
 * in strings, JCuda, JavaCPP, and the builds of such projects.
 */
@NullMarked
package dev.rocport.lang.java;

import org.jspecify.annotations.NullMarked;
