"""Small projects on disk, for tests and benchmarks: written into a folder of their own, gone when it is done with.

with temporary_project(chain(20)) as root:
    build_project(BuildConfig(str(root / "agents")))
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

IMPORT_LINES = "from graphbus_core import GraphBusNode, depends_on, schema_method\n"


@contextmanager
def temporary_project(files: Mapping[str, str]) -> Iterator[Path]:
    """A folder with these files (path relative to it -> text), removed at the end."""
    # Resolved: on some systems the temporary folder is a link, and findings name real paths.
    with tempfile.TemporaryDirectory(prefix="graphbus-") as folder:
        root = Path(folder).resolve()
        write_files(root, files)
        yield root


def write_files(root: Path, files: Mapping[str, str]) -> None:
    """Write files under `root`, with their folders."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        # No translation of line ends: a test that writes CRLF means CRLF.
        target.write_text(text, encoding="utf-8", newline="")


def chain(agents: int, *, one_file: bool = True, arbiter: bool = False) -> dict[str, str]:
    """`agents` classes of 12 lines, each dependent on the one before, in one file or in a file each.

    The project on which prompts and calls are measured: Agent000 -> Agent001 -> …, each passing its input on.
    """
    classes = [_render_link(number) for number in range(agents)]
    if arbiter:
        classes.append(_ARBITER)
    if one_file:
        return {"agents/__init__.py": "", "agents/chain.py": IMPORT_LINES + "".join(f"\n\n{c}" for c in classes)}
    files = {f"agents/agent{number:03}.py": f"{IMPORT_LINES}\n\n{text}" for number, text in enumerate(classes)}
    return {"agents/__init__.py": "", **files}


def _render_link(number: int) -> str:
    name, before = f"Agent{number:03}", f"Agent{number - 1:03}"
    lines = [
        f'@depends_on("{before}")' if number else "# the first of the chain",
        f"class {name}(GraphBusNode):",
        f'    """Step {number} of the pipeline."""',
        f'    SYSTEM_PROMPT = "I am step {number} of a pipeline and keep every item intact."',
        "",
        "    @schema_method(",
        '        input_schema={"items": list[str], "count": int},',
        '        output_schema={"items": list[str], "count": int},',
        "    )",
        f'    @depends_on("{before}.run")' if number else "    # takes what the caller gives",
        "    def run(self, items, count):",
        '        return {"items": list(items), "count": count}',
    ]
    return "\n".join(lines) + "\n"


_ARBITER = '''class Judge(GraphBusNode):
    """Settles what the others cannot."""

    SYSTEM_PROMPT = "I am the arbiter. Correctness first, then compatibility, then simplicity."
    IS_ARBITER = True
'''
