"""Writes the clients, or says which of them is not what the document says."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from clients import write_python, write_swift, write_typescript
from clients.reading import read

HERE = Path(__file__).resolve().parent
FILES = {
    HERE / "python" / "graphbus_api.py": write_python.write,
    HERE / "typescript" / "graphbus.ts": write_typescript.write,
    HERE / "swift" / "GraphBus.swift": write_swift.write,
}


def document() -> dict[str, Any]:
    """The document of `/api/v1`. It says nothing of the project, so any will do."""
    from graphbus_core.cli.examples import example
    from graphbus_core.http.stream import Stream
    from graphbus_core.http.v1.app import create_v1
    from graphbus_core.http.v1.common import build_document as made
    from graphbus_core.services import Workspace

    with TemporaryDirectory() as folder:  # a copy: in its place all of this repository would be searched for calls
        agents = shutil.copytree(Path(str(example("hello"))) / "agents", Path(folder) / "agents")
        return made(create_v1(Workspace(agents, Path(folder) / ".graphbus"), Stream()))


def main(check: bool) -> int:
    """The exit code: 1 where a file differs and was only to be checked."""
    api = read(document())
    stale = [path for path, write in FILES.items() if not path.exists() or path.read_text() != write(api)]
    for path in stale:
        if check:
            print(f"{path.relative_to(HERE.parent)} is not what the OpenAPI document says; run `python -m clients`.")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILES[path](api))
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
