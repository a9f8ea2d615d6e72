#!/usr/bin/env bash
# build.sh — everything that is done to this repository, one function a verb.
#
#   ./build.sh build           dist/ from core/, wasm/ and site/, only what is stale; RCMDP_HOME=https://... is where it will be, if that is known
#   ./build.sh test            install what the tests need, lint, and run every test
#   ./build.sh test firefox    the tests of the browser, in Firefox
#   ./build.sh test packages   the npm package behind bundlers and in other runtimes, of versions that packages.test.js names
#   ./build.sh soak MINUTES    every method on fresh structured problems, until the time is over or one is wrong
#   ./build.sh soak same [N [FROM]]  whether fixtures and N (2000) of these problems are answered and proved alike packed, in wasm and natively
#   ./build.sh mutants [N [SEED [REGEXP]]]  break the solver in N places, one at a time, and say which tests see it (300: two hours)
#   ./build.sh bench           all that has a goal beside its goal: wasm next to native, what stays open, how soon the page answers
#   ./build.sh bench REGEXP    those benchmarks, native and in wasm, as ratios
#   ./build.sh bench scale [quick] [KIND]  how time grows from 100 to 10000 states, native and in wasm, of all kinds of set or of one
#   ./build.sh bench proof [quick] [NAME...]  certified gaps after 10, 30 and 60 s of processor time, native and in a page
#   ./build.sh lint            gofmt, go vet, staticcheck, tsc, format and lint of the page's scripts
#   ./build.sh size            what a visitor downloads, against budgets
#   ./build.sh record          which functions of the solver a first solve calls, for the file that comes first
#   ./build.sh clean           remove what was built and installed here
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
deadcode=golang.org/x/tools/cmd/deadcode@v0.51.0 # as staticcheck has it, which is then built already

# ---- shared by the verbs

say() { printf '%s\n' "$*" >&2; }

need() { # need COMMAND REMEDY: one sentence when it is missing, then out
  command -v "$1" >/dev/null 2>&1 || { say "build.sh: $1 is not installed; $2"; exit 1; }
}

sha() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
export -f sha

# digest PATH...: one line that changes when a file below does that the build reads.
digest() {
  find "$@" -type f -not -path '*/node_modules/*' -not -path '*/testdata/*' -not -name '*_test.go' \
    -not -path 'site/test/*' -not -path 'site/report/*' -print0 |
    LC_ALL=C sort -z | xargs -0 bash -c 'sha "$@"' sha | sha | cut -c1-64
}

# fresh WHAT VALUE: whether the last success recorded the same value.
fresh() { [ -f "bin/$1.stamp" ] && [ "$(cat "bin/$1.stamp")" = "$2" ]; }
remember() { mkdir -p bin; printf '%s\n' "$2" >"bin/$1.stamp"; }

# The commit that last touched what the solver is made of; + when the tree differs from it.
commit() {
  local parts=(core wasm go.mod go.sum) id
  id=$(git log -1 --format=%h --abbrev=10 -- "${parts[@]}" 2>/dev/null) || id=
  [ -n "$id" ] || { echo unknown; return; }
  [ -z "$(git status --porcelain -- "${parts[@]}" 2>/dev/null)" ] || id+=+
  echo "$id"
}

# One build or install at a time in one checkout; the next then finds everything fresh.
locked() (
  mkdir -p bin
  if command -v flock >/dev/null; then exec 9>bin/lock; flock 9; fi
  "$@"
)

need_tools() {
  need go 'install Go 1.26 or later (https://go.dev/dl).'
  need node 'install Node.js 20 or later (https://nodejs.org).'
  need npm 'it comes with Node.js (https://nodejs.org).'
  node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)' ||
    { say "build.sh: Node.js $(node --version) is too old; install 20 or later (https://nodejs.org)."; exit 1; }
}

install_npm() {
  local want; want=$(sha site/package-lock.json site/package.json)
  if [ -d site/node_modules ] && fresh npm "$want"; then return; fi
  (cd site && npm ci --no-audit --no-fund --loglevel=error >&2)
  remember npm "$want"
}

install_go_tool() { # install_go_tool NAME PACKAGE@VERSION: into bin/
  if [ -x "bin/$1" ] && fresh "$1" "$2"; then return; fi
  GOBIN="$PWD/bin" go install "$2"
  remember "$1" "$2"
}
install_go_tools() {
  install_go_tool staticcheck "$staticcheck"
  install_go_tool deadcode "$deadcode"
}

# The end-to-end tests drive a Chromium of the system (site/test/e2e/browser.js looks in the same places), the
# one without windows where there is one. Those of Firefox and WebKit, and of GNU parallel, are skipped with a sentence where it is not installed.
install_chromium() {
  if node site/test/e2e/browser.js >/dev/null 2>&1; then return; fi
  apt_install chromium
  node site/test/e2e/browser.js >/dev/null || exit 1
}
install_packages() {
  local command missing=()
  for command in parallel firefox-esr chromium-headless-shell; do command -v "$command" >/dev/null || missing+=("$command"); done
  [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}"
}
apt_install() { # apt_install PACKAGE...: where there are apt and the right to use it; who needs them says what else to do
  if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then return; fi
  say "installing $* from the system packages"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } >>bin/apt.log 2>&1 || true
}

# ---- build

# Inlined copies are a tenth of the file. Reading a large model takes a seventh
# less with them in jsontext and sha256, proving it a tenth less with them in certify. Of the numeric rooms,
# solve and lp take the same processor time without them in their benchmarks; evaluate, uncertainty and bound keep them.
flat=(-gcflags=all=-dwarf=false) # nobody looks at it in a debugger, for which a tenth of the compiler's work is
for room in std github.com/hack-pad/... gonum.org/v1/gonum/... rcmdplab/wasm/... rcmdplab/core/{proof,model,interchange,vipr,instance,solve,lp,decide,experiment,estimate,simulate}; do flat+=("'-gcflags=$room=-l -dwarf=false'"); done
# What is compiled so is not inlined into others either, and these are what the numeric rooms call
# (rows of kl are 1.8 times as fast with them; the file is no larger), or what every allocation calls
# (a small solve takes a quarter less), or fractions and digests do (a tenth less), or decimals (the file is smaller).
for package in math math/{big,bits} slices cmp sort strconv encoding/binary sync internal/{abi,byteorder,strconv} runtime internal/runtime/...; do flat+=("-gcflags=$package=-dwarf=false"); done
# Whatever is compiled to wasm is compiled so, once: for the page, its tests and its lint.
wasm() { GOOS=js GOARCH=wasm GOFLAGS="-tags=simd -trimpath -buildvcs=false ${flat[*]}" "$@"; }

build_wasm() {
  local id want; id=$(commit)
  want="$(digest core wasm go.mod go.sum build.sh) $(go env GOVERSION) $id"
  if [ -f bin/rcmdp-elsewhere.wasm ] && fresh wasm "$want"; then return; fi
  local flags="-s -w -buildid= -X main.commit=$id"
  wasm go build -ldflags="$flags" -o bin/rcmdp.wasm ./wasm
  # The same with its data elsewhere: where the two differ are the addresses that site/pack/lower.mjs changes.
  wasm go build -ldflags="$flags -D=0x4000000" -o bin/rcmdp-elsewhere.wasm ./wasm
  remember wasm "$want"
}

# The gallery solved by the native program, for the page to show before its solver is there.
build_gallery() {
  local want; want="$(digest core wasm/wire site/gallery go.mod go.sum) $(go env GOVERSION)"
  if [ -f bin/gallery.json ] && fresh gallery "$want"; then return; fi
  go run ./site/gallery >bin/gallery.json.part
  mv bin/gallery.json.part bin/gallery.json
  remember gallery "$want"
}

build_all() {
  need_tools
  install_npm
  build_wasm
  build_gallery
  local want; want="$(digest site build.sh) ${PLAIN:+plain}${RCMDP_HOME-} $(cat bin/wasm.stamp bin/gallery.stamp)"
  if [ -d dist ] && fresh site "$want"; then return; fi
  if [ -n "${QUICK-}" ]; then want+=' quick'; fi # a test is content with files that are not packed closely
  if [ -d dist ] && fresh site "$want"; then return; fi
  build_site
  remember site "$want"
}
build_site() {
  node site/build.mjs --wasm bin/rcmdp.wasm --wasm-exec "$(go env GOROOT)/lib/wasm/wasm_exec.js" --gallery bin/gallery.json \
    --commit "$(commit)" --go "$(go env GOVERSION)" --home "${RCMDP_HOME-}" "$@"
}

build() { locked build_all; }

# Which functions of the solver first solves call, in Node, Chromium and Firefox: the others are fetched later. What
# the list lacks costs one late load, so it need not follow every change.
record() {
  need_tools
  install_npm
  build_wasm
  build_gallery
  install_packages
  install_chromium
  RECORD=1 QUICK=1 build_site --out bin/record
  node site/pack/record.mjs bin/record
}

# ---- test
#
# A group is a command whose output ends in a line "#tally passed failed skipped"; groups of a
# lane run one after the other, lanes side by side. Their output goes to bin/test/.

group() { # group NAME COMMAND...
  local name=$1 out="bin/test/$1" start=$SECONDS tally passed failed skipped TIMEFORMAT='%U %S'
  shift
  { time "$@" >"$out.log" 2>&1; } 2>"$out.time" && local status=0 || local status=$?
  tail -1 "$out.time" | awk '{ printf "%.0f\n", $1 + $2 }' >"$out.cpu"
  tally=$(grep '^#tally ' "$out.log" | tail -1 | cut -c8-) || true
  read -r passed failed skipped <<<"${tally:-0 0 0}"
  # A command that fails without a failed test, or ends before its tally, is itself a failure.
  if [ "$failed" = 0 ] && { [ $status != 0 ] || [ -z "$tally" ]; }; then failed=1; fi
  printf '%-22s %5d passed %3d failed %3d skipped %5d s, %4d of a processor\n' "$name" "$passed" "$failed" "$skipped" $((SECONDS - start)) "$(cat "$out.cpu")" >"$out.line"
  {
    cat "$out.line"
    if [ "$failed" != 0 ]; then grep -vE '^#(tally|retried) ' "$out.log" || true; else grep -E '^(skipped|slow:|note:)' "$out.log" || true; fi
  } >"$out.part"
  cat "$out.part" # in one piece: another lane prints too
  echo "$passed $failed $skipped" >"$out.tally"
}

check() { "$@" && echo '#tally 1 0 0'; } # check COMMAND...: one that only succeeds or fails

formatted() {
  local files; files=$(gofmt -l ./*.go core wasm site/guide site/report site/test)
  [ -z "$files" ] || { printf 'not formatted, run gofmt -w on:\n%s\n' "$files"; return 1; }
}

# Every package and its tests, once: those that follow find them in the cache, where of two that begin at
# once each would compile them.
compiled() { GOGC=400 go list -export -test -deps ./... >/dev/null; }

# vet has its own group; the limit is one for hung packages, however slow the machine. There is memory enough
# to collect garbage seldom, in the linker and the tests (a twenty-fifth of their work).
go_native() { GOGC=off GOMEMLIMIT=400MiB go test -json -vet=off -timeout 20m "$@" 2>&1 | node site/report/go.mjs; }

# Of the gallery that was built, as the page shows it.
go_gallery() { GALLERY="$PWD/bin/gallery.json" go_native ./site/gallery; }

# What can differ in wasm runs there as well: exponentials and logarithms, sums by the SIMD loops,
# and each room's answers to the fixtures on top of them. Go's arithmetic is otherwise the same there
# to the last bit, so that long searches, random problems, and reading and writing of text are not run twice.
# The default method goes through bound and certify on all of the fixtures.
# Packed as the page's solver is they are not: that one is what all tests of the page ask, and to pack takes as long as the tests.
in_wasm=(./core/{uncertainty,vector,evaluate,solve,bound/tensor,certify/enclosure,decide} ./wasm/wire)
wasm_tests='^Test(Conformance|RandomMembers|Regularized|IntervalEdges|(Systems|Tilt|Sparse|Rows)?SameBits|Definitions' # uncertainty, vector: all
wasm_tests+='|FiniteFixtures|RobustFixtures|PaperFixtures|FiniteAgainstMatrixFormulas|OccupancyFromOneState' # evaluate
wasm_tests+='|BoundBits|KeptTensorsAreRebuilt' # tensor
wasm_tests+='|RobustPolicyIteration|InnerIterationAgainstMatrixForm|WideValues' # solve
wasm_tests+='|Fixtures|EveryMethodIsRightOnKnownAnswers|ImpossibleLimitsAreProved' # decide
wasm_tests+='|ExponentialsAndLogarithmsEnclose' # enclosure
wasm_tests+='|ARunAdoptsWhatOthersFound|NewsCarryTheBestPolicy|CheckInfeasible|ManySteps|SnapshotResumes|WorstRows|RunEqualsMethod)$' # wire

# The same tests as wasm under Node, with an almost empty environment: Go's wasm takes 8 kB of it at most.
go_wasm() { # go_wasm "VARIABLE=VALUE"... -- FLAGS AND PACKAGES...
  local environment=()
  while [ "$1" != -- ]; do environment+=("$1"); shift; done
  shift
  GOGC=400 wasm go test -json -vet=off -timeout 20m -exec "$(under_node ${environment[@]+"${environment[@]}"})" "$@" 2>&1 | node site/report/go.mjs
}

# The variable that has a Go program under Node packed as the page's solver is, or not.
packed() { [ -n "${PLAIN-}" ] || echo "PACKED=$(go env GOVERSION)"; }

# The variable that gives a Go program under Node the SIMD loops of core/vector.
with_loops() { echo "NODE_OPTIONS=--import=$PWD/site/test/loops-preload.mjs"; }

# The -exec of go test for wasm. It takes quotes around a whole word only.
under_node() {
  local variable
  printf "env -i 'PATH=%s:/usr/bin:/bin'" "$(dirname "$(command -v node)")"
  for variable; do printf " '%s'" "$variable"; done
  printf " '%s'" "$(go env GOROOT)/lib/wasm/go_js_wasm_exec"
}

module_tests() ( # other groups run beside them
  cd site
  # shellcheck disable=SC2046 # one word for each file; none has a space in its name
  node report/lanes.mjs --plain $(ls test/*.test.js | grep -v browser)
)
browser_tests() ( cd site && node report/lanes.mjs test/*browser*.test.js test/e2e/*.test.js )

vet_wasm() { wasm go vet ./wasm ./wasm/store ./core/vector; } # where files are that only wasm has
staticcheck_native() { bin/staticcheck ./...; }
tidy() { go mod tidy -diff; }
reachable() { # of the same sources once, as vet and staticcheck keep what they found
  local want; want="$(digest core wasm site/guide site/gallery go.mod go.sum) $(sha site/report/dead.mjs) $deadcode"
  if fresh dead "$want"; then return; fi
  node site/report/dead.mjs bin/deadcode && remember dead "$want"
}
staticcheck_wasm() { wasm bin/staticcheck ./wasm ./wasm/store ./core/vector; }
types() { (cd site && node_modules/.bin/tsc --noEmit -p .); }
formatted_site() { (cd site && node report/format.mjs); }
lint_site() { (cd site && node_modules/.bin/biome lint --error-on-warnings); }

programs() { # what the tests run beside them
  go build -o bin/serve serve.go
  go build -o bin/native site/test/e2e/native.go
}

# Lanes. The browser's has the processor first, because its pages keep people waiting; the others, a little
# nicer, take what it leaves. What needs nothing that is built begins while the build goes on.
nicer() { renice -n 5 -p "$(exec sh -c 'echo $PPID')" >/dev/null 2>&1 || true; }

lane_native() {
  nicer
  group 'go, compiled' check compiled
  lane_go &
  lane_lint &
  wait
}
lane_go() {
  # shellcheck disable=SC2046 # one word for each package
  group 'go, native' go_native $(go list ./... | grep -v '/site/gallery$') # that one after the build
}
lane_lint() {
  group 'lint tools' check install_go_tools
  group gofmt check formatted
  group 'go vet' check go vet ./...
  group staticcheck check staticcheck_native
  group 'dead code' check reachable
  group 'go.mod is tidy' check tidy
  group 'go vet, wasm' check vet_wasm
  group 'staticcheck, wasm' check staticcheck_wasm
}
lane_js() {
  nicer
  group 'modules' module_tests
  group 'types' check types
  group 'site format' check formatted_site
  group 'site lint' check lint_site
}
lane_wasm() {
  nicer
  group 'go, gallery' go_gallery
  group 'go, wasm' go_wasm "$(with_loops)" BASELINE=1 -- -short -run "$wasm_tests" "${in_wasm[@]}"
  group 'go, wasm store' go_wasm "NODE_OPTIONS=--require=$PWD/site/node_modules/fake-indexeddb/auto" -- ./wasm ./wasm/store
}
lane_browser() { group 'browser' browser_tests; }

# What npm installs, behind every bundler and in every runtime that is named; the suite has Vite, webpack and Node of it.
test_packages() {
  build
  install_chromium
  PACKAGES=all node --test site/test/e2e/packages.test.js
}

# All of the browser's tests in Firefox, of which the suite has those that must work there (firefox.test.js).
test_firefox() {
  build
  programs
  command -v firefox-esr >/dev/null || command -v firefox >/dev/null || apt_install firefox-esr
  node --input-type=module -e 'import { findFirefox } from "./site/test/e2e/browser.js"; if (!findFirefox()) { console.error("Firefox is not installed: install it (Debian: apt-get install firefox-esr), or set FIREFOX to its path."); process.exit(1); }'
  export BUILT=1 RCMDP_BROWSER=firefox
  browser_tests
}

test() {
  export QUICK=1
  case "${1-}" in
    packages | firefox) "test_$1"; return ;;
    '') ;;
    *) say "build.sh: test takes packages, firefox or nothing; found $1"; return 2 ;;
  esac
  # As for wasm: nothing for debuggers. Nor is a C compiler asked for the name service.
  export GOFLAGS="${GOFLAGS-} -gcflags=all=-dwarf=false" CGO_ENABLED=0
  need_tools
  rm -rf bin/test
  mkdir -p bin/test
  install_packages & # which is mostly waiting
  local packages=$!
  lane_native &
  group 'build' check ./build.sh build
  if [ "$(cat bin/test/build.tally)" = '1 0 0' ]; then
    programs
    wait "$packages"
    install_chromium
    export BUILT=1
    lane_browser &
    lane_js &
    lane_wasm &
  fi
  wait
  local passed=0 failed=0 skipped=0 p f s file
  for file in bin/test/*.tally; do
    read -r p f s <"$file"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  done
  local retried; retried=$(sed -n 's/^#retried //p' bin/test/*.log | awk '{ n += $1 } END { print n + 0 }')
  echo
  cat bin/test/*.line
  awk -v wall="$SECONDS" '{ n += $1 } FILENAME ~ /(build|go, compiled|lint tools).cpu$/ { made += $1 }
    END { printf "%d s, %d of a processor, %d of them to build and install\n", wall, n, made }' bin/test/*.cpu
  echo "$retried needed a second try$([ "$retried" = 0 ] || echo ': see the notes above')"
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
}

lint() {
  need_tools
  install_npm
  install_go_tools
  formatted
  go vet ./...
  vet_wasm
  staticcheck_native
  staticcheck_wasm
  tidy
  reachable
  types
  formatted_site
  lint_site
}

# ---- soak

# The suite's structured instances are the same 2 000 every time; here are others. What fails is
# named by its seed: STRUCTURED=SEED:1 go test ./core/internal/structured shows it with its document.
soak() {
  if [ "${1-}" = same ]; then soak_same "${@:2}"; return; fi
  local minutes=${1:-10} from count=500 end tried=0
  [[ $minutes =~ ^[0-9]+$ ]] || { say 'build.sh: soak takes a number of minutes'; return 2; }
  need go 'install Go 1.26 or later (https://go.dev/dl).'
  mkdir -p bin
  go test -c -o bin/structured.test ./core/internal/structured
  from=$(($(date +%s) * 1000000))
  end=$((SECONDS + 60 * minutes))
  while [ $SECONDS -lt $end ]; do
    if ! (cd core/internal/structured && STRUCTURED=$from:$count ../../../bin/structured.test -test.run '^TestAnswers' -test.timeout 30m) >bin/soak.log 2>&1; then
      cat bin/soak.log
      say "soak: wrong among the seeds $from to $((from + count - 1)); see the seeds above"
      return 1
    fi
    tried=$((tried + count)) from=$((from + count))
  done
  echo "soak: $tried problems, nothing wrong"
}

# Verdict, policy, value, bound and certificate of each, as told by three builds of one program. Natively exponentials and
# logarithms are others than in wasm, so that only verdicts have to be the same there.
soak_same() {
  local count=${1:-2000} from=${2:-$(($(date +%s) * 1000000))} how status=0
  need_tools
  install_npm
  mkdir -p bin
  local flags=(-vet=off -count 1 -timeout 0 -run '^TestAnswersAreTold$' -v ./core/internal/structured) wasm
  for how in native wasm packed; do
    say "$how ..."
    case $how in
      native) TOLD=1 STRUCTURED=$from:$count go test "${flags[@]}" ;;
      *)
        wasm=(TOLD=1 "STRUCTURED=$from:$count" "$(with_loops)")
        if [ $how = packed ]; then wasm+=("PACKED=$(go env GOVERSION)"); fi
        wasm go test -exec "$(under_node "${wasm[@]}")" "${flags[@]}"
        ;;
    esac >bin/same-$how.log || { tail bin/same-$how.log; return 1; }
    grep '^told ' bin/same-$how.log >bin/same-$how.txt
  done
  for how in packed native; do
    diff bin/same-wasm.txt bin/same-$how.txt >bin/same-$how.diff || [ $how = native ] || status=1
    diff <(cut -d, -f1 bin/same-wasm.txt) <(cut -d, -f1 bin/same-$how.txt) || status=1
    echo "soak: $(wc -l <bin/same-$how.txt) answers to the fixtures and to $count problems from $from, of which $(grep -c '^<' bin/same-$how.diff) differ between wasm and $how (bin/same-$how.diff)"
  done
  return $status
}

# ---- mutants

# N changed constants, comparisons and signs, drawn by a seed, in packages whose path matches.
mutants() {
  need go 'install Go 1.26 or later (https://go.dev/dl).'
  GOFLAGS="${GOFLAGS-} -gcflags=all=-dwarf=false" CGO_ENABLED=0 go run site/report/mutants.go -n "${1:-300}" -seed "${2:-1}" -rooms "${3-}"
}

# ---- measure

# bench_scale: models of 100 to 10000 states by kind of set, through the default method, native and
# wasm, against plain value iteration; exponents of growth are fitted. Some minutes; with the name of a
# kind, such as kl or kl+limit, of that kind alone. quick: up to 3600 states, once each.
bench_scale() {
  need_tools
  mkdir -p bin
  local kind='.*' which=all count=3
  if [ "${1-}" = quick ]; then which=quick count=1; shift; fi
  if [ -n "${1-}" ]; then kind="^${1//+/\\+}\$"; fi
  local flags=(-run '^$' -bench "^BenchmarkScale\$/$kind" -benchtime 1x -count "$count" -timeout 40m)
  say 'native ...'
  SCALE=$which go test "${flags[@]}" ./core/decide >bin/scale-native.txt || { cat bin/scale-native.txt; return 1; }
  say 'wasm ...'
  wasm go test -vet=off -exec "$(under_node "SCALE=$which" "$(with_loops)" $(packed))" "${flags[@]}" ./core/decide >bin/scale-wasm.txt || { cat bin/scale-wasm.txt; return 1; }
  node site/report/scale.mjs bin/scale-native.txt bin/scale-wasm.txt
}

# bench_proof [NAME...]: certified gaps over processor time, natively and in a page, of the ten problems
# of core/bound/testdata and the fixtures of settings (a) and (b) and the rectangular ones, or of those
# named (random2 a_seed0 ...; a pattern does). Up to two minutes each. quick: the ten for 4 s, one of them in a page.
bench_proof() {
  need_tools
  local files=() file name times=10s,30s,60s paged='*'
  if [ "${1-}" = quick ]; then
    shift
    [ $# -gt 0 ] || { set -- 'random?'; paged='*random0.json'; }
    times=1s,4s
  fi
  [ $# -gt 0 ] || set -- 'random?' 'a_seed?' 'b_seed?' 'rect_*'
  for name; do
    for file in "$PWD"/core/bound/testdata/$name.json "$PWD"/core/testdata/fixtures/problems/$name.json; do
      [ ! -f "$file" ] || files+=("$file")
    done
  done
  [ ${#files[@]} -gt 0 ] || { echo "no problem of that name in core/bound/testdata or core/testdata/fixtures/problems"; return 1; }
  go test ./core/decide -run ProofTimes -count 1 -timeout 0 -v -args -proof-times "$times" -proof "$(IFS=,; echo "${files[*]}")" |
    { grep --line-buffered -oE 'native .*|^--- FAIL.*|panic:.*' || true; }
  build
  install_chromium
  local page=()
  # shellcheck disable=SC2053 # a pattern
  for file in "${files[@]}"; do [[ $file != $paged ]] || page+=("$file"); done
  PROOF_TIMES=${times//s/} node site/report/proof.mjs "${page[@]}"
}

# ours_and_theirs: what benchmarks say natively and in wasm, packed as the page has it, in bin/bench-*.txt.
ours_and_theirs() { # ours_and_theirs REGEXP FLAGS AND PACKAGES...
  local flags=(-vet=off -run '^$' -bench "$1" -timeout 40m "${@:2}")
  say "native $1 ..."
  go test "${flags[@]}" >>bin/bench-native.txt || { cat bin/bench-native.txt; return 1; }
  say "wasm $1 ..."
  wasm go test -exec "$(under_node "$(with_loops)" $(packed))" "${flags[@]}" >>bin/bench-wasm.txt || { cat bin/bench-wasm.txt; return 1; }
}

# All that has a goal, with the goal beside it: times in wasm next to native ones, what stays open after some seconds,
# and how soon the page answers. With a pattern: those benchmarks.
bench() {
  case "${1-}" in scale | proof) "bench_$1" "${@:2}"; return ;; esac
  need_tools
  mkdir -p bin
  rm -f bin/bench-native.txt bin/bench-wasm.txt
  local met=0
  if [ -n "${1-}" ]; then
    ours_and_theirs "$1" -benchtime 0.2s -count 3 ./core/...
    node site/report/bench.mjs bin/bench-native.txt bin/bench-wasm.txt
    return
  fi
  install_npm
  ours_and_theirs '^Benchmark(Goal|InnerIteration|ReferenceExperiment)$' -benchtime 0.2s -count 3 ./core/{decide,solve,experiment}
  ours_and_theirs '^Benchmark(Gap|Averages|FirstSecond)$' -benchtime 1x ./core/decide
  say 'page ...'
  build
  install_chromium
  node site/report/bench.mjs bin/bench-native.txt bin/bench-wasm.txt || met=1
  node site/report/latency.mjs | grep -E '^(met|MISSED) ' || met=1
  node site/report/sweep.mjs || met=1
  return $met
}

size() {
  build
  node site/report/size.mjs dist
}

clean() { rm -rf dist bin site/node_modules; }

usage() { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p;}' build.sh; }

case "${1-}" in
  build | record | test | soak | mutants | bench | lint | size | clean) "$@" ;;
  '') usage ;;
  *) say "build.sh: there is no verb $1"; usage >&2; exit 2 ;;
esac
