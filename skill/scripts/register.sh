#!/bin/sh
# register.sh DIR NAME: take a seat.
# It acts by its name, as agents with other scripts do: the other seven scripts know no token.
# The work is done by `graphbus negotiate register`; exit codes are in references/protocol.md.
if command -v graphbus >/dev/null 2>&1; then
    exec graphbus negotiate register --trust names "$@"
fi
for python in "${GRAPHBUS_PYTHON:-python3}" python; do
    if "$python" -c 'import graphbus_core' >/dev/null 2>&1; then
        exec "$python" -m graphbus_core.cli.main negotiate register --trust names "$@"
    fi
done
echo "graphbus is not installed here: pip install git+https://github.com/graphbus/graphbus-core, or set GRAPHBUS_PYTHON." >&2
exit 2
