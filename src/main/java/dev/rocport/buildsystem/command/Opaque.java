package dev.rocport.buildsystem.command;

import java.util.ArrayList;
import java.util.List;

/** Replaces each variable reference with one private character, so flags can be parsed. */
final class Opaque {
  private static final char FIRST = '\uE000';

  private final Syntax syntax;
  private final List<String> hidden = new ArrayList<>();

  Opaque(Syntax syntax) {
    this.syntax = syntax;
  }

  String hide(String text) {
    StringBuilder s = new StringBuilder();
    int i = 0;
    while (i < text.length()) {
      int end = Math.min(text.length(), syntax.reference(text, i));
      if (end > i) {
        s.append((char) (FIRST + hidden.size()));
        hidden.add(text.substring(i, end));
        i = end;
      } else {
        s.append(text.charAt(i++));
      }
    }
    return s.toString();
  }

  String show(String text) {
    StringBuilder s = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int n = c - FIRST;
      s.append(n >= 0 && n < hidden.size() ? hidden.get(n) : String.valueOf(c));
    }
    return s.toString();
  }
}
