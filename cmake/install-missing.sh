#!/usr/bin/env bash
# Installs those of the named Debian packages that are not there yet: install-missing.sh PACKAGE...
# Works as root and as a user with sudo; does nothing, and asks for nothing, when nothing is missing.
set -euo pipefail

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  printf '%s\n' "This system is not Debian-like (no apt-get), so nothing was installed." \
    "What is needed, by its Debian names: $*" "Going on with what is here." >&2
  exit 0
fi

missing=()
for package in "$@"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "Everything needed is installed."
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    printf '%s\n' "Missing: ${missing[*]}" \
      "Installing them needs root or sudo. As root: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing: ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=400)
# An update that fails (one dead mirror of several) matters only if the packages then cannot be had.
"${apt[@]}" update || echo "apt-get update failed; trying with the package lists at hand." >&2
"${apt[@]}" install -y --no-install-recommends "${missing[@]}"
