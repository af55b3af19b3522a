#!/bin/sh
# The demo of `make demo`: what the linter says of a faulty training program and of its right twin, then what
# the runtime companion measures when the faulty one runs.
cd "$(dirname "$0")/.." || exit 2
jaxlint=${BIN:-.venv/bin}/jaxlint

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi

show() {
    printf '\n%s$ jaxlint %s%s\n' "$bold" "$*" "$plain"
    "$jaxlint" "$@"
}

show check examples/digits_mlp_faulty.py
status=$?
if [ "$status" -ne 1 ]; then
    echo "demo: the faulty program must give findings (exit status 1), and the status was $status" >&2
    exit 2
fi

show check examples/digits_mlp.py || exit

if "$jaxlint" confirm --help >/dev/null 2>&1; then
    show confirm examples/digits_mlp_faulty.py --epochs 2
    status=$?
    [ "$status" -le 1 ] || exit "$status"
fi
printf '\nThe faults and how they are put right: examples/README.md\n'
