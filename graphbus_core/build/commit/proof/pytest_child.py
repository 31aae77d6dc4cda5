"""What `--verify auto` runs in the sandbox: pytest, and a last line that says how it ended.

An exit code alone proves nothing: a test that calls `os._exit(0)` ends the run with success before it is over. So the
run says at its very end how many tests passed, with a word given on standard input that no test is told.
(Code that sets out to find that word in this process can: what is proved is that the run came to its end.)
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def main() -> int:
    """Run pytest with the arguments of the command line; gives its exit code."""
    word = sys.stdin.buffer.read().decode()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # the word cannot be read again
    os.close(nothing)
    said = os.dup(1)

    import pytest

    ends: dict[str, int] = {}

    class Count:
        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.when == "call" or report.outcome != "passed":
                ends[report.outcome] = ends.get(report.outcome, 0) + 1

    code = int(pytest.main(sys.argv[1:], plugins=[Count()]))
    sys.stdout.flush()
    os.write(said, f"\n{word} {json.dumps({'code': code, **ends})}\n".encode())
    return code


if __name__ == "__main__":
    sys.exit(main())
