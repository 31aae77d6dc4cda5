#!/usr/bin/env bash
# Two agents, two plans, one document: document.sh [DIR]
#
# What a coding agent does is written out here: `start` once, then `turn` and `say` until `turn` says that it is over.
# The words of each turn stand in plans/; a real agent thinks of its own.
set -eu
cd "$(dirname "$0")"
table=${1:-$(mktemp -d)/storage}

agent() { # NAME: its plan is plans/NAME.md, its turns are plans/NAME-1.txt, plans/NAME-2.txt, ...
    graphbus negotiate start "$table" "One plan for storage" --source "plans/$1.md" --name "agent-$1" \
        --seat "$seats/$1" > /dev/null 2>&1
    number=0
    while true; do
        code=0
        told=$(graphbus negotiate turn "$table" --seat "$seats/$1") || code=$?
        case $code in
        0)
            number=$((number + 1))
            printf '\n== %s reads ==\n%s\n== %s says ==\n%s\n' "$1" "$told" "$1" "$(cat "plans/$1-$number.txt")"
            graphbus negotiate say "$table" --seat "$seats/$1" --file "plans/$1-$number.txt"
            ;;
        1) ;; # not yet: call again
        2) return 0 ;;
        *) echo "$told" >&2 && return "$code" ;;
        esac
    done
}

seats=$(mktemp -d)
agent alpha &
agent beta
wait $!
printf '\n== %s/final.md ==\n' "$table"
cat "$table/final.md"
