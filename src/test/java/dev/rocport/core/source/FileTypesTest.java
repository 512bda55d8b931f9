package dev.rocport.core.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FileTypesTest {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "a.cu,,cuda",
    "A.CUH,,cuda",
    "op.cu.cc,,cuda",
    "a.hip,,cuda",
    "a.c,,c",
    "a.h,,c++",
    "a.tpp,,c++",
    "config.h.in,,c++",
    "CMakeLists.txt,,build",
    "rules.mk,,build",
    "Makefile.am,,build",
    "Makefile.in,,build",
    "README.md,,other",
    "LICENSE,Copyright,other",
    "vector,'// C++|#pragma once|',c++",
    "table.inc,'#include \"x.h\"|',c++",
    "table.inc,'      PROGRAM X|',other",
    "page.inc,'<?php __global__',c++",
    "tool,'#!/bin/sh|#if|',other",
    ".cu,,other"
  })
  void tellsByNameAndWhereThatIsDoubtfulByContent(String name, String content, String language)
      throws IOException {
    Path file = dir.resolve(name);
    Files.writeString(file, content == null ? "" : content.replace('|', '\n'));
    assertThat(FileTypes.language(file)).isEqualTo(language);
  }
}
