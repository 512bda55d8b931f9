// Characters that a reader does not see.
int access(int isAdmin) {
  /*‮ } ⁦if (isAdmin)⁩ ⁦ begin admins only */ // want: FILE-BIDI
  return 1;
}
int name​d = 0; // want: FILE-INVISIBLE
const char *soft = "a­b"; // want: FILE-INVISIBLE
const char *tag = "x󠁁"; // want: FILE-INVISIBLE
const char *mark = "a﻿b"; // want: FILE-INVISIBLE
int a‍b = 0; // want: FILE-INVISIBLE
int v️ = 0; // want: FILE-INVISIBLE
const char *both = "‮​"; // want: FILE-BIDI, FILE-INVISIBLE
const char *family = "👨‍👩‍👧 ⚠️ 1️⃣"; // ok: FILE-INVISIBLE
const char *wales = "🏴󠁧󠁢󠁷󠁬󠁳󠁿"; // ok: FILE-INVISIBLE
const char *persian = "می‌خواهم"; // ok: FILE-INVISIBLE
const char *escaped = "\u202e\u200b grüß 日本"; // ok: FILE-BIDI
