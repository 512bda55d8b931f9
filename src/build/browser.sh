#!/usr/bin/env bash
# Prints the program of a Chromium for the tests of HTML reports: the machine's own, or one that it takes from
# the Debian archive that apt knows, without root, into the folder of rocport's tools.
#   browser.sh          takes one where there is none
#   browser.sh --find   prints nothing, and fails, where there is none
set -euo pipefail

for name in chromium-headless-shell chromium chromium-browser google-chrome; do
  if command -v "$name"; then
    exit 0
  fi
done

home="${XDG_DATA_HOME:-$HOME/.local/share}/rocport/browser"
program="$home/chromium"
if [ -x "$program" ]; then
  echo "$program"
  exit 0
fi
[ "${1:-}" != --find ] || exit 1

mkdir -p "$(dirname "$home")"
work="$(mktemp -d "$home.XXXXXX")"
trap 'rm -rf "$work"' EXIT
package=chromium-headless-shell
options=()
if ! apt-cache show "$package" > /dev/null 2>&1; then
  # No lists on this machine, or none that may be read: own ones.
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  options=(-o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache")
  apt-get -qq "${options[@]}" update >&2
fi
# What would be installed: the browser, and the libraries that the machine lacks.
wanted="$(apt-get "${options[@]}" install --simulate --no-install-recommends "$package" | awk '$1 == "Inst" { print $2 }')"
mkdir -p "$work/debs" "$work/root"
# shellcheck disable=SC2086 # one word a package
(cd "$work/debs" && apt-get -qq "${options[@]}" download $wanted >&2)
for deb in "$work"/debs/*.deb; do
  dpkg-deb --extract "$deb" "$work/root"
done
triple="$(dpkg-architecture -q DEB_HOST_MULTIARCH 2> /dev/null || gcc -print-multiarch 2> /dev/null || echo x86_64-linux-gnu)"
libraries="$home/root/usr/lib/$triple:$home/root/lib/$triple:$home/root/usr/lib/$triple/nss:$home/root/usr/lib/$triple/pulseaudio"
real="usr/lib/chromium/$package"
[ -x "$work/root/$real" ] || { echo "browser.sh: there is no $real in $package" >&2; exit 1; }
cat > "$work/chromium" << END
#!/bin/sh
LD_LIBRARY_PATH='$libraries' exec '$home/root/$real' "\$@"
END
chmod +x "$work/chromium"
rm -rf "$work/debs" "$work/lists" "$work/cache" "$home"
mv "$work" "$home"
trap - EXIT
echo "$program"
