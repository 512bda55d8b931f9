/**
 * Ports files that install a Python project: requirements, project files, environments, containers.
 * Files that require CUDA get a sibling for ROCm, or a finding; the files themselves are never
 * edited.
 */
@NullMarked
package dev.rocport.packaging;

import org.jspecify.annotations.NullMarked;
