package dev.rocport.lang.ptx;

import java.util.Arrays;
import java.util.List;

/**
 * A choice among words in the head of a form.
 *
 * @param group the capital letter that names it, or 0
 * @param words its alternatives
 */
record Choice(char group, List<String> words, boolean optional) {
  /** Of {@code T:u32,s32} without its braces. */
  static Choice of(String inside, boolean optional) {
    boolean named =
        inside.length() > 2
            && inside.charAt(1) == ':'
            && inside.charAt(2) != ':'
            && Character.isUpperCase(inside.charAt(0));
    String words = named ? inside.substring(2) : inside;
    List<String> all = Arrays.stream(words.split(",", -1)).map(String::strip).toList();
    return new Choice(named ? inside.charAt(0) : 0, all, optional);
  }
}
