#!/usr/bin/env bash
# Two agents, one interface, before there is code: interface.sh [DIR]
#
# The shop sends orders, billing takes them. Billing first asks for more than the shop promises; the engine shows the
# payload that breaks it, and billing gives in. What both accept is a file that both check in and test against.
set -eu
cd "$(dirname "$0")"
shared=${1:-$(mktemp -d)}
seats=$(mktemp -d)

side() { # SIDE, then options; exit 1 says "not agreed yet", which is not an error here
    printf '\n$ graphbus agree orders --as %s %s\n' "$1" "${*:2}"
    graphbus agree orders --at "$shared" --as "$1" --seat "$seats/$1" "${@:2}" || [ $? = 1 ]
}

pair() { # what stands on the table now
    graphbus agree orders --at "$shared" --json | sed 's/.*"pair": "\([0-9a-f]*\)".*/\1/' || true
}

side producer --producer shop --consumer billing --table contracts/shop.json
side consumer --table contracts/billing-wants.json
side consumer --table contracts/billing.json --why "A note may be missing; we print none."
accepted=$(pair)
side producer --accept "$accepted"
side consumer --accept "$accepted"
printf '\n== %s/orders.contract.json ==\n' "$shared"
cat "$shared/orders.contract.json"
