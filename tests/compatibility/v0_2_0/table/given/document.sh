#!/usr/bin/env bash
# Two agents, two plans, one document: document.sh [DIR]
#
# What a coding agent does is written out here: `start` once, then `turn` and `say` until `turn` says that it is over.
# The words of each turn stand in plans/; a real agent thinks of its own.
set -eu
cd "$(dirname "$0")"
table=${1:-$(mktemp -d)/storage}

seats=$(mktemp -d)
trap 'rm -rf "$seats"' EXIT

sit() { # NAME: its plan is plans/NAME.md. Agents of one session each say who they are
    graphbus negotiate start "$table" "One plan for storage" --source "plans/$1.md" --name "agent-$1" \
        --participant "$1" --seat "$seats/$1" --no-wait > /dev/null
}

agent() { # NAME: its turns are plans/NAME-1.txt, plans/NAME-2.txt, ...
    number=0
    patience=3 # a script cannot ask what keeps the other: it gives up
    while true; do
        code=0
        told=$(graphbus negotiate turn "$table" --seat "$seats/$1" --for 15) || code=$?
        case $code in
        0)
            number=$((number + 1))
            patience=3
            printf '\n== %s reads ==\n%s\n== %s says ==\n%s\n' "$1" "$told" "$1" "$(cat "plans/$1-$number.txt")"
            graphbus negotiate say "$table" --seat "$seats/$1" --file "plans/$1-$number.txt"
            ;;
        1) # not yet: call again
            patience=$((patience - 1))
            [ $patience -gt 0 ] || { echo "$1 gives up: the other agent makes no move." >&2 && return 1; }
            ;;
        2) return 0 ;;
        *) echo "$told" >&2 && return "$code" ;;
        esac
    done
}

# Who sits first speaks first. The words in plans/ are written for that order, so it is not left to chance.
sit alpha
sit beta
agent alpha &
alpha=$!
agent beta &
beta=$!
code=0
wait $alpha || code=$?
wait $beta || code=$?
[ $code = 0 ] || exit $code
printf '\n== %s/final.md ==\n' "$table"
cat "$table/final.md"
