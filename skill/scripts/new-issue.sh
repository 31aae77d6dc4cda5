#!/bin/sh
# new-issue.sh DIR TOPIC: file an issue; prints its file name.
# The work is done by `graphbus negotiate new-issue`; exit codes are in references/protocol.md.
if command -v graphbus >/dev/null 2>&1; then
    exec graphbus negotiate new-issue "$@"
fi
for python in "${GRAPHBUS_PYTHON:-python3}" python; do
    if "$python" -c 'import graphbus_core' >/dev/null 2>&1; then
        exec "$python" -m graphbus_core.cli.main negotiate new-issue "$@"
    fi
done
echo "graphbus is not installed here: pip install git+https://github.com/graphbus/graphbus-core, or set GRAPHBUS_PYTHON." >&2
exit 2
