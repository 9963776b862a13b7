#!/usr/bin/env bash
# Does what docs/first-ten-minutes.md says, in a Debian 12 that has nothing but git and bash, and prints the times.
#
#   sudo docs/site/bare.sh FOLDER      FOLDER: for the system, a gigabyte; it must not exist
#
# Needs debootstrap.  The commands and files are those of the page; the clone is of this repository's HEAD.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1
[ -e "$folder" ] && { echo "$folder is there already" >&2; exit 2; }
debootstrap --variant=minbase --include=ca-certificates,git bookworm "$folder" >/dev/null
trap 'umount "$folder/proc"' EXIT
mount -t proc proc "$folder/proc"
cp /etc/resolv.conf "$folder/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
git clone --quiet --bare "$root" "$folder/srv/stiction.git"
python3 - "$root/docs/first-ten-minutes.md" "$folder/root" <<'P'
import re, sys
page, home = open(sys.argv[1], encoding="utf-8").read(), sys.argv[2]
shell = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
install, build = shell[0].replace("sudo ", ""), shell[1]
plot = re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
mine = re.search(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
for name, text in (("install.sh", install), ("build.sh", build), ("plot.py", plot), ("mine.json", mine)):
    open(f"{home}/{name}", "w", encoding="utf-8").write(text)
P
cat >"$folder/root/steps.sh" <<'S'
set -e
export DEBIAN_FRONTEND=noninteractive TIMEFORMAT='%R s, processor %U s'
step() { local name=$1; shift; { time "$@" >>/root/steps.out 2>&1; } 2>/root/time || { tail -n 5 /root/steps.out; exit 1; }; echo "$name: $(tail -n 1 /root/time)"; }
cd /root
step "what it needs" bash -e install.sh
step "clone" git clone --quiet /srv/stiction.git
cd stiction
step "install" bash -e ../build.sh
cp ../mine.json .
step "plot" .venv/bin/python ../plot.py
ls -l mine.png
S
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
  PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_DEFAULT_TIMEOUT=180 chroot "$folder" /bin/bash /root/steps.sh
