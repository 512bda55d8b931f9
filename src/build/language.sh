#!/usr/bin/env bash
# Holds the English of messages, rules and documents to LanguageTool; each complaint names its file and line. Fails if
# there is one. src/build/language has the words and the rules of LanguageTool that do not count.
#   language.sh [FILE...]   only these files (Markdown, YAML of rules, Java)
set -euo pipefail
cd "$(dirname "$0")/../.."
. src/build/jdk.sh
tools=target/language
if [ ! -e "$tools/complete" ] || [ src/build/language/pom.xml -nt "$tools/complete" ]; then
  rm -rf "$tools"
  JAVA_HOME=$ROCPORT_JDK mvn -B -ntp -q -f src/build/language/pom.xml dependency:copy-dependencies \
    "-DoutputDirectory=$PWD/$tools"
  touch "$tools/complete"
fi
exec "$ROCPORT_JDK/bin/java" -XX:+UseSerialGC -Xmx2g -cp "$tools/*:target/lib/*" src/build/language/Language.java "$@"
