#!/usr/bin/env bash
# The eight scripts of seed 004 in the simplest form that keeps the reference: plain files, no lock, no log, no checks.
# Called through links of their names. What the scripts in use do carelessly these do too: whoever comes late to
# wait-for-start gives the first agent the turn, and whoever calls hand-off passes it on.
set -u
D=$1
names() { sed -n 's/^- \([a-z][a-z0-9-]*\) (.*/\1/p' "$D/agents.md"; }
setting() { sed -n "s/^- \*\*$1:\*\* *\([0-9]*\).*/\1/p" "$D/meta.md"; }
next() { names | awk -v me="$1" 'NR == 1 { first = $1 } found { print; done = 1; exit } $1 == me { found = 1 } END { if (!done) print first }'; }
status_of() { sed -n 's/^## Status: *//p' "$D/positions/$(basename "$1")" 2>/dev/null | tail -1; }

case $(basename "$0" .sh) in
init)
    mkdir "$D" 2>/dev/null || exit 3
    mkdir "$D/issues" "$D/positions" "$D/sources"
    printf -- '- **%s:** %s\n' expected_agents "$2" registration_window_seconds "${3:-120}" max_rounds_per_agent 5 \
        poll_interval_seconds 5 turn_timeout_seconds 600 created "$(date -u +%FT%TZ)" > "$D/meta.md"
    printf '# Agents\n\n' > "$D/agents.md"
    echo registration > "$D/turn.md"
    ;;
register)
    names | grep -qx "$2" && exit 1
    [ -n "$(names)" ] || printf -- '- **registration_deadline:** %s\n' \
        "$(date -u -d "+$(setting registration_window_seconds) seconds" +%FT%TZ)" >> "$D/meta.md"
    printf -- '- %s (registered: %s, participant: manual:%s)\n' "$2" "$(date -u +%FT%TZ)" "${NEGOTIATE_PARTICIPANT_ID:-$2}" \
        >> "$D/agents.md"
    ;;
wait-for-start)
    until [ "$(names | wc -l)" -ge "$(setting expected_agents)" ]; do sleep 0.3; done
    names | head -1 > "$D/turn.md"
    names | paste -sd' '
    ;;
poll)
    TURN=$(cat "$D/turn.md")
    [ "$TURN" = 'done' ] && exit 2
    [ "$TURN" = "$2" ] || exit 1
    [ "$(head -1 "$D/.turn-started" 2>/dev/null)" = "$2" ] || { echo "$2"; date +%s; } > "$D/.turn-started"
    ;;
new-issue)
    LAST=$(find "$D/issues" -name '*.md' -printf '%f\n' | sed 's/^0*\([0-9]*\).*/\1/' | sort -n | tail -1)
    FILE=$(printf '%02d-%s.md' $((${LAST:-0} + 1)) "$2")
    printf '# Issue: [TODO: a title]\n\n## Question\n[TODO: what is to be decided?]\n' > "$D/issues/$FILE"
    echo "$FILE"
    ;;
hand-off)
    next "$2" > "$D/turn.md"
    rm -f "$D/.turn-started"
    ;;
status)
    for ISSUE in "$D"/issues/*.md; do echo "$(basename "$ISSUE") $(status_of "$ISSUE")"; done
    ;;
finish)
    for ISSUE in "$D"/issues/*.md; do case $(status_of "$ISSUE") in AGREED*) ;; *) exit 1 ;; esac; done
    [ -f "$D/final.md" ] || exit 1
    echo 'done' > "$D/turn.md"
    ;;
esac
