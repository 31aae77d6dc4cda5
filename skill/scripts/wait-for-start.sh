#!/bin/sh
# wait-for-start.sh DIR NAME: wait until registration is over.
# The work is done by `graphbus negotiate wait-for-start`; exit codes are in references/protocol.md.
if command -v graphbus >/dev/null 2>&1; then
    exec graphbus negotiate wait-for-start "$@"
fi
for python in "${GRAPHBUS_PYTHON:-python3}" python; do
    if "$python" -c 'import graphbus_core' >/dev/null 2>&1; then
        exec "$python" -m graphbus_core.cli.main negotiate wait-for-start "$@"
    fi
done
echo "graphbus is not installed here: pip install git+https://github.com/graphbus/graphbus-core, or set GRAPHBUS_PYTHON." >&2
exit 64
