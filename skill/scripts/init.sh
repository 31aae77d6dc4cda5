#!/bin/sh
# init.sh DIR [AGENTS] [WINDOW-SECONDS]: open a negotiation, or learn that somebody has.
# The work is done by `graphbus negotiate init`; exit codes are in references/protocol.md.
if command -v graphbus >/dev/null 2>&1; then
    exec graphbus negotiate init "$@"
fi
for python in "${GRAPHBUS_PYTHON:-python3}" python; do
    if "$python" -c 'import graphbus_core' >/dev/null 2>&1; then
        exec "$python" -m graphbus_core.cli.main negotiate init "$@"
    fi
done
echo "graphbus is not installed here: pip install git+https://github.com/graphbus/graphbus-core, or set GRAPHBUS_PYTHON." >&2
exit 1
