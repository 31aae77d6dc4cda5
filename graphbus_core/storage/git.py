"""Git, run in one way by all that reads a repository or commits to it; what its answers mean is theirs to say."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

TIMEOUT_S = 30
# A hook of git runs with these set: they name its repository, and the folder that is asked about is in another one.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE")
# It asks nobody for a password, takes no lock for a look, and tells its reasons in one language.
_QUIETLY = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def run_git(
    folder: Path, *words: str, timeout_s: float = TIMEOUT_S, index: Path | None = None, umask: int = -1
) -> subprocess.CompletedProcess[bytes]:
    """How git ended in a folder, and what it printed. `index`: in place of the user's own. `umask`: of the files
    that it writes, where not the user's.

    Raises OSError where it cannot be run, or takes too long."""
    environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE} | _QUIETLY
    environment |= {} if index is None else {"GIT_INDEX_FILE": str(index)}
    try:
        return subprocess.run(
            # No hook and no file system monitor: both are programs that the repository names.
            ["git", "-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", "-C", str(folder), *words],
            capture_output=True,
            timeout=timeout_s,
            env=environment,
            stdin=subprocess.DEVNULL,
            umask=umask,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OSError(f"git {words[0]} did not end within {timeout_s:g} s") from None
