// A comment without an end: the rest of the file is not read.
int before = 1;  // ok: SOURCE-BROKEN
/* no end: int after = 2;  // want: SOURCE-BROKEN
