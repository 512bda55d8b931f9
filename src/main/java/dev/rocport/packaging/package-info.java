/**
 * What installs a Python project: requirements, project files, environments, containers. Where they
 * ask for CUDA they get a sibling for ROCm, or a finding; the files themselves are never edited.
 */
@NullMarked
package dev.rocport.packaging;

import org.jspecify.annotations.NullMarked;
