/**
 * Files of tensors: safetensors, npy and npz, read strictly; what a bit pattern of a type means.
 */
@NullMarked
package dev.rocport.verify.tensor;

import org.jspecify.annotations.NullMarked;
