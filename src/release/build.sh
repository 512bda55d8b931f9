#!/usr/bin/env bash
# Makes a release out of what "mvn -Prelease verify" has packaged; called by it.
# usage: build.sh VERSION TIMESTAMP, the timestamp as ISO 8601 has it
# Out of the same sources and the same toolchain packages it makes the same bytes.
set -euo pipefail
version=$1
SOURCE_DATE_EPOCH=$(date -u -d "$2" +%s)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
home=$(cd "$(dirname "$0")/../.." && pwd -P)
. "$home/src/build/jdk.sh"
name=rocport-$version-linux-x86_64
out=$home/target/release
root=$out/$name
# A toolchain of its own, so that the compiled runtime depends on nothing of this machine.
export ROCPORT_TOOLCHAIN=${ROCPORT_RELEASE_TOOLCHAIN:-${XDG_DATA_HOME:-$HOME/.local/share}/rocport/release-toolchain}

step() { echo "release: $*" >&2; }

[ "$(uname -m)" = x86_64 ] || { step "a release is made on x86_64"; exit 3; }
rm -rf "$out"
mkdir -p "$root/java/lib" "$root/hip-runtime" "$root/doc"

step "compiling the HIP runtime"
cp "$home/target/rocport-$version.jar" "$root/java/"
cp "$home"/target/lib/*.jar "$root/java/lib/"
program="$root/java/rocport-$version.jar"
"$ROCPORT_JDK/bin/java" -XX:+UseSerialGC "-Drocport.home=$home" \
  -cp "$program" dev.rocport.toolchain.runtime.CompiledRuntime "$root/hip-runtime/compiled"

step "linking a Java runtime"
# Only CDT's DebugUtil and optional types of Jackson use java.desktop and java.sql.
modules=$("$ROCPORT_JDK/bin/jdeps" --multi-release 25 --ignore-missing-deps --print-module-deps \
  --class-path "$(printf '%s:' "$root"/java/lib/*.jar)" "$program" "$root"/java/lib/*.jar 2> /dev/null \
  | tail -1 | tr ',' '\n' | grep -vx -e java.desktop -e java.sql)
modules=$(printf '%s\n' $modules java.logging java.management java.xml jdk.incubator.vector | sort -u | paste -sd,)
"$ROCPORT_JDK/bin/jlink" --add-modules "$modules" --strip-java-debug-attributes --no-header-files \
  --no-man-pages --compress zip-6 --order-resources='**/module-info.class' --output "$root/jre"
rm -f "$root"/jre/lib/server/*.jsa

step "copying the rest"
cp "$home/rocport" "$home/LICENSE" "$home/NOTICE" "$home/CHANGELOG.md" "$home/README.md" "$root/"
cp "$home/target/bom.json" "$root/sbom.cdx.json"
cp -r "$home/rules" "$root/rules"
(cd "$home/hip-runtime" && tar cf - --exclude=./compiled .) | tar xf - -C "$root/hip-runtime"
cp -r "$home/docs/." "$root/doc/"
java() {
  "$ROCPORT_JDK/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "-Drocport.home=$root" -jar "$program" "$@"
}
share=$root/share
mkdir -p "$share"/{bash-completion/completions,zsh/site-functions,fish/vendor_completions.d,man/man1}
java completion bash > "$share/bash-completion/completions/rocport"
{ echo '#compdef rocport'; java completion zsh; } > "$share/zsh/site-functions/_rocport"
java completion fish > "$share/fish/vendor_completions.d/rocport.fish"
java man --out "$share/man/man1" 2> /dev/null
gzip -9n "$share"/man/man1/*.1

# The bits of a checkout depend on the umask it was made with.
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -perm /100 -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

step "packing $name.tar.gz"
tar -C "$out" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
  --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | gzip -9n > "$out/$name.tar.gz"

step "packing the Debian package"
deb=$out/deb
mkdir -p "$deb/usr/lib" "$deb/usr/bin" "$deb/usr/share/doc/rocport" "$deb/DEBIAN"
cp -a "$root" "$deb/usr/lib/rocport"
ln -s ../lib/rocport/rocport "$deb/usr/bin/rocport"
for part in bash-completion zsh fish man; do
  mv "$deb/usr/lib/rocport/share/$part" "$deb/usr/share/$part"
done
rmdir "$deb/usr/lib/rocport/share"
mkdir -p "$deb/usr/share/zsh/vendor-completions"
mv "$deb/usr/share/zsh/site-functions/_rocport" "$deb/usr/share/zsh/vendor-completions/"
rmdir "$deb/usr/share/zsh/site-functions"
gzip -9nc "$home/CHANGELOG.md" > "$deb/usr/share/doc/rocport/changelog.gz"
cp "$home/src/release/copyright" "$deb/usr/share/doc/rocport/copyright"
size=$(du -sk --apparent-size "$deb/usr" | cut -f1)
sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$size/" "$home/src/release/control" > "$deb/DEBIAN/control"
install -m 755 "$home/src/release/postinst" "$home/src/release/prerm" "$deb/DEBIAN/"
chmod 644 "$deb/DEBIAN/control" "$deb"/usr/share/doc/rocport/*
find "$deb" -type d -exec chmod 755 {} +
find "$deb" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --threads-max=1 -Zxz -z6 --build "$deb" "$out/rocport_${version}_amd64.deb" > /dev/null
rm -rf "$deb"

cp "$root/sbom.cdx.json" "$out/rocport-$version.cdx.json"
(cd "$out" && sha256sum "$name.tar.gz" "rocport_${version}_amd64.deb" "rocport-$version.cdx.json" > SHA256SUMS)
step "made in target/release:"
(cd "$out" && du -sh --apparent-size "$name" "$name.tar.gz" "rocport_${version}_amd64.deb" >&2)
