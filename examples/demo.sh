#!/usr/bin/env bash
# The demo: lowers the three examples with their schedules, runs and audits what came out, and shows
# the schedules that are refused. Stops with exit code 1 at the first thing that is not as it should be.
# usage: examples/demo.sh BINARY     (./dev demo)
set -euo pipefail
proviso=$(realpath "${1:?usage: examples/demo.sh BINARY}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=build/demo
rm -rf "$out"
mkdir -p "$out"

heading() { printf '\n=== %s\n\n' "$*"; }
fail() { echo "demo: NOT AS EXPECTED: $*" >&2; exit 1; }
show() { sed 's/^/    /' "$1"; }

# expect TEXT FILE: the file contains the text.
expect() { grep -qF -- "$1" "$2" || { show "$2"; fail "no '$1' in $2"; }; }

# both_ways PROGRAM SEED: interpreter and machine code give the same bits.
both_ways() {
    local seen=$out/run.txt
    "$proviso" run "$1" --engine both --random --seed "$2" >"$seen" 2>&1 || { show "$seen"; fail "run $1"; }
    expect 'interpreter and cpu: equal, bit for bit' "$seen"
}

lowered() {
    local name=$1 dir=$out/$1 seed
    heading "$name: $2"
    show "examples/$name.py"
    echo
    show "examples/$name.sch.py"

    printf '\n--- lower: every step is proved before it is taken\n\n'
    "$proviso" lower "examples/$name.py" --schedule "examples/$name.sch.py" \
        --emit ir,llvm,so --log "$dir/log" -o "$dir" || fail "lower $name"
    echo
    grep -v func_attr "$dir/$name.lowered.py" | sed 's/^/    /'
    if grep -Eq 'if |T\.where|T\.if_then_else|T\.Select' "$dir/$name.lowered.py"; then
        fail "a branch is left in $dir/$name.lowered.py"
    fi

    printf '\n--- run: interpreter and machine code, source and lowered program\n\n'
    for seed in 1 2 3 4; do
        both_ways "examples/$name.py" "$seed"
        both_ways "$dir/$name.lowered.py" "$seed"
    done
    echo "    4 inputs, both programs: interpreter and cpu equal, bit for bit"
    "$proviso" check "examples/$name.py" "$dir/$name.lowered.py" >"$dir/check.txt" 2>&1 ||
        { show "$dir/check.txt"; fail "check $name"; }
    show "$dir/check.txt"

    printf '\n--- audit: all of it again, from the log, by two solvers\n\n'
    "$proviso" audit "$dir/log" --policy E2 >"$dir/audit.txt" 2>&1 ||
        { show "$dir/audit.txt"; fail "audit $name"; }
    show "$dir/audit.txt"
    expect 'VERIFIED at policy E2' "$dir/audit.txt"
}

# refused NAME PROGRAM SCHEDULE WHY: exit code 1, with a counterexample that the interpreter replayed.
refused() {
    local seen=$out/refused_$1.txt code=0
    "$proviso" lower "$2" --schedule "$3" -q >"$seen" 2>&1 || code=$?
    printf -- '--- %s: %s\n\n' "$1" "$4"
    # The lines that tell the story, long tensors cut: the whole text is in the file.
    grep -E 'error: |note: values|note: replay|hint: ' "$seen" |
        LC_ALL=C.UTF-8 sed -E 's/^ */    /; s/^(.{170}).+/\1…/'
    echo
    [[ $code == 1 ]] || fail "exit code $code, not 1"
    expect 'REFUTED' "$seen"
    expect 'note: replay by the interpreter: ' "$seen"
}

lowered scale 'element-wise, undefined padding'
lowered row_sum 'a strict float32 sum over an axis that is padded with zero'
expect 'every value stored to S is not -0.0' "$out/row_sum/log/steps.jsonl"
printf '\n    The log proves that the accumulator is never -0.0: without that, adding the padding'
printf '\n    would change a sum of -0.0.\n'
lowered conv1d 'extra outputs are computed, and overwritten afterwards'

heading 'refused: each with values that break it, replayed by the interpreter'
refused scale examples/scale.py examples/refused/scale.sch.py 'no word on the padding'
refused row_sum_one examples/row_sum.py examples/refused/row_sum.sch.py 'padded with 1 instead of 0'
refused row_sum_unpadded examples/row_sum.py examples/refused/row_sum_unpadded.sch.py \
    'no word on the padding'
refused first_element examples/refused/first_element.py examples/refused/first_element.sch.py \
    'the accumulator starts from the first element'
refused shift examples/refused/shift.py examples/refused/shift.sch.py \
    'the padding may be -0.0, and the program stores 0.0'
refused conv1d examples/conv1d.py examples/refused/conv1d.sch.py \
    'nothing overwrites the padding of the output'

heading 'as expected'
echo "    Programs, code and logs are in $out/; look into one with"
echo "    build/release/proviso audit $out/row_sum/log --verbose"
