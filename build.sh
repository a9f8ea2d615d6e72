#!/usr/bin/env bash
# build.sh — everything that is done to this repository, one function a verb.
#
#   ./build.sh build    dist/ from core/, wasm/ and site/, only what is stale
#   ./build.sh clean    remove what was built
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# ---- shared by the verbs

say() { printf '%s\n' "$*" >&2; }

need() { # need COMMAND WHY: one sentence, then out
  command -v "$1" >/dev/null 2>&1 || { say "build.sh: $1 is not installed; $2"; exit 1; }
}

sha() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# digest PATH...: one line that changes when a file under the paths does (tests and node_modules aside).
digest() {
  find "$@" -type f -not -path '*/node_modules/*' -not -path '*/testdata/*' -not -name '*_test.go' -not -path 'site/test/*' -print0 2>/dev/null |
    LC_ALL=C sort -z | xargs -0 bash -c 'sha() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }; sha "$@"' sha | sha | cut -c1-64
}

# fresh STAMP VALUE: whether the last success recorded the same value.
fresh() { [ -f "bin/$1.stamp" ] && [ "$(cat "bin/$1.stamp")" = "$2" ]; }
record() { mkdir -p bin; printf '%s\n' "$2" >"bin/$1.stamp"; }

# The commit that last touched what the solver is made of, + when the tree differs from it.
commit() {
  local parts=(core wasm go.mod go.sum) id
  id=$(git log -1 --format=%h --abbrev=10 -- "${parts[@]}" 2>/dev/null) || id=
  [ -n "$id" ] || { echo unknown; return; }
  [ -z "$(git status --porcelain -- "${parts[@]}" 2>/dev/null)" ] || id+=+
  echo "$id"
}

npm_install() {
  need node 'install Node.js 20 or later (https://nodejs.org).'
  need npm 'it comes with Node.js (https://nodejs.org).'
  local want; want=$(sha site/package-lock.json site/package.json)
  if [ -d site/node_modules ] && fresh npm "$want"; then return; fi
  (cd site && npm ci --no-audit --no-fund --loglevel=error >&2)
  record npm "$want"
}

# One build at a time in one checkout; the second then finds everything fresh.
lock() {
  mkdir -p bin
  if command -v flock >/dev/null; then exec 9>bin/lock; flock 9; fi
}

# ---- verbs

wasm() {
  need go 'install Go 1.26 or later (https://go.dev/dl).'
  [ -f wasm/main.go ] || return 0
  local id want; id=$(commit)
  want="$(digest core wasm go.mod go.sum build.sh) $(go env GOVERSION) $id"
  if [ -f bin/rcmdp.wasm ] && fresh wasm "$want"; then return; fi
  GOOS=js GOARCH=wasm go build -trimpath -buildvcs=false \
    -ldflags="-s -w -buildid= -X main.commit=$id" -o bin/rcmdp.wasm ./wasm
  record wasm "$want"
}

build() {
  lock
  npm_install
  wasm
  local want args=()
  [ -f bin/rcmdp.wasm ] && args+=(--wasm bin/rcmdp.wasm)
  want="$(digest site build.sh) $(cat bin/wasm.stamp 2>/dev/null || true)"
  if [ -d dist ] && fresh site "$want"; then return; fi
  node site/build.mjs ${args[@]+"${args[@]}"} --wasm-exec "$(go env GOROOT)/lib/wasm/wasm_exec.js" --commit "$(commit)" --go "$(go env GOVERSION)"
  record site "$want"
}

clean() { rm -rf dist bin site/node_modules; }

usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' build.sh; }

case "${1-}" in
  build | clean) "$@" ;;
  '') usage ;;
  *) usage >&2; exit 2 ;;
esac
