#!/usr/bin/env bash
# Sources of the libraries that the lab compiles to WebAssembly, from Debian, unpacked into FOLDER: gsl, libyaml, libcsv,
# and include/ with their headers. Leaves the machine's package lists alone.
#   lab-libraries.sh FOLDER
set -euo pipefail
folder=$1
[ ! -e "$folder/done" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/include/gsl"
cd "$folder"
# shellcheck source=/dev/null
. /etc/os-release
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb-src [signed-by=$keyring] http://deb.debian.org/debian ${VERSION_CODENAME:-bookworm} main" >sources.list
options=(-o "Dir::Etc::sourcelist=$PWD/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$PWD/lists")
apt-get -qq "${options[@]}" update
apt-get -qq "${options[@]}" source --download-only gsl libyaml libcsv >apt.log 2>&1 || { cat apt.log >&2; exit 1; }
for archive in gsl_*.orig.tar.* libyaml_*.orig.tar.* libcsv_*.orig.tar.*; do tar xf "$archive"; done
mv libyaml-* libyaml
mv libcsv-* libcsv
cp gsl/gsl_*.h include/gsl/
cp gsl/*/gsl_*.h include/gsl/
cp libyaml/include/yaml.h libcsv/csv.h include/
touch done
