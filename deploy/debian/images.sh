#!/usr/bin/env bash
# The images that deploy/ stands on, made of Debian's packages and of Node from the npm registry, for a machine that reaches no
# registry of images. Run as root on Debian with the packages podman, mmdebstrap and npm. It takes two minutes.
#   localhost/threadlore-node      in place of docker.io/library/node
#   localhost/threadlore-postgres  in place of docker.io/library/postgres
#   localhost/threadlore-nginx     in place of docker.io/nginxinc/nginx-unprivileged
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
node=${NODE_VERSION:-24.21.0}
npm=${NPM_VERSION:-11.21.2}
suite=${SUITE:-bookworm}
mirror=${MIRROR:-http://deb.debian.org/debian}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

# One system of Debian's packages for all three: what they share is on the disk once.
mmdebstrap --quiet --variant=minbase --include=ca-certificates,libstdc++6,libatomic1,nginx-light,postgresql \
  --customize-hook='rm -rf "$1"/var/lib/postgresql/* "$1"/etc/nginx/sites-enabled' \
  "$suite" "$work/system.tar" "$mirror"
podman import --quiet "$work/system.tar" localhost/threadlore-debian > /dev/null

cd "$work"
npm pack --silent "node-linux-$(case $(uname -m) in x86_64) echo x64 ;; aarch64) echo arm64 ;; esac)@$node" "npm@$npm" > names
mkdir node npm
tar -xzf "$(sed -n 1p names)" -C node --strip-components=1
tar -xzf "$(sed -n 2p names)" -C npm --strip-components=1
# What this machine trusts is trusted while images are made: a mirror may stand behind a company's own authority.
cp /etc/ssl/certs/ca-certificates.crt authorities.crt
cp "$here"/*.Containerfile "$here"/postgres-start.sh .
for name in node postgres nginx; do
  podman build --quiet --format docker -t "localhost/threadlore-$name" -f "$name.Containerfile" . > /dev/null
  echo "localhost/threadlore-$name"
done
