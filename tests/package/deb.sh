#!/usr/bin/env bash
# The Debian package in a clean root: made, installed with what it depends on, run, removed.
#   tests/package/deb.sh BUILD-FOLDER      a release build; needs root, debootstrap, dpkg-dev and a Debian mirror
# Ends with 77 (skipped) where it cannot be tried.
set -u
build=$(readlink -f "$1")
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export LC_ALL=C.UTF-8
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -v security | head -n 1)

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED  $*"; exit 1; }

[ "$(id -u)" -eq 0 ] || skip 'needs root'
command -v debootstrap >/dev/null || skip 'needs debootstrap'
command -v dpkg-shlibdeps >/dev/null || skip 'needs dpkg-dev'

work=$(mktemp -d "${TMPDIR:-/tmp}/vdisim-package-XXXXXX")
trap 'umount -q "$work/root/proc" 2>/dev/null; rm -rf "$work"' EXIT
(cd "$build" && cpack -G DEB -B "$work/package") >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; fail 'cpack'; }
package=$(echo "$work"/package/vdisim_*.deb)
[ -f "$package" ] || fail 'no package was made'
dpkg-deb --field "$package" Package Version Depends Recommends
dpkg-deb --contents "$package" >"$work/contents"
for file in usr/bin/vdisim usr/share/man/man1/vdisim-run.1 usr/share/bash-completion/completions/vdisim \
  usr/include/vdisim/sim.h usr/share/vdisim/experiments/published/citrix-azure-files.yaml usr/share/doc/vdisim/copyright; do
  grep -q "\./$file" "$work/contents" || fail "$file is not in the package"
done

debootstrap --variant=minbase bookworm "$work/root" "${mirror:-http://deb.debian.org/debian}" >"$work/debootstrap.log" 2>&1 ||
  { tail -n 3 "$work/debootstrap.log"; skip 'no Debian mirror'; }
cp /etc/resolv.conf "$work/root/etc/" 2>/dev/null
cp /etc/apt/apt.conf.d/*proxy* "$work/root/etc/apt/apt.conf.d/" 2>/dev/null
cp "$package" "$work/root/vdisim.deb"
cp "$source/tests/cli/data/small.yaml" "$work/root/root/"
in_root() { chroot "$work/root" env -i ${http_proxy:+http_proxy="$http_proxy"} LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
in_root apt-get update >"$work/apt.log" 2>&1 || { tail -n 3 "$work/apt.log"; skip 'no Debian mirror in the new root'; }
in_root apt-get install -y --no-install-recommends /vdisim.deb >"$work/apt.log" 2>&1 || { tail "$work/apt.log"; fail 'installing it'; }
in_root vdisim --version || fail 'running it'
in_root sh -c 'cd /root && vdisim run --quiet small.yaml' >"$work/there" || fail 'running an experiment'
(cd "$work" && cp root/root/small.yaml . && "$build/vdisim" run --quiet small.yaml) >"$work/here" || fail 'running the experiment here'
diff "$work/there" "$work/here" || fail 'the installed program says something else'
in_root vdisim check /usr/share/vdisim/experiments/published/citrix-azure-files.yaml >/dev/null || fail 'an installed experiment'
in_root dpkg --remove vdisim >/dev/null || fail 'removing it'
in_root sh -c 'ls /usr/bin/vdisim /usr/share/vdisim 2>/dev/null' && fail 'something stays after removing it'
echo 'passed'
