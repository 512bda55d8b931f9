# Sourced by the launcher and the build scripts: sets ROCPORT_JDK to a JDK 25 or newer, or explains what to install.
ROCPORT_JDK=
for rocport_j in "${ROCPORT_JAVA_HOME-}" "${JAVA_HOME-}" /usr/lib/jvm/*25* /usr/lib/jvm/* /opt/*jdk*25*; do
  [ -r "$rocport_j/release" ] && [ -x "$rocport_j/bin/java" ] || continue
  while IFS= read -r rocport_l; do
    case $rocport_l in
      JAVA_VERSION=\"*)
        rocport_v=${rocport_l#JAVA_VERSION=\"}
        rocport_v=${rocport_v%%[!0-9]*}
        [ "${rocport_v:-0}" -ge 25 ] && ROCPORT_JDK=$rocport_j
        ;;
    esac
  done < "$rocport_j/release"
  [ -z "$ROCPORT_JDK" ] || break
done
unset rocport_j rocport_l rocport_v
if [ -z "$ROCPORT_JDK" ]; then
  echo "rocport: needs JDK 25 or newer, and found none under JAVA_HOME or /usr/lib/jvm." >&2
  echo "rocport: install one (for example Eclipse Temurin 25) and set ROCPORT_JAVA_HOME or JAVA_HOME to it." >&2
  exit 3
fi
