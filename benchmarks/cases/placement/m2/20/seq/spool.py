"""FASTA files waiting for the sequencer's run."""
import re
import tempfile
from pathlib import Path

_holder = tempfile.TemporaryDirectory(prefix="run-")
SPOOL = Path(_holder.name)


def file_for(sample: str) -> Path:
    return SPOOL / (re.sub(r"\W+", "_", sample) + ".fa")


def waiting() -> list[tuple[str, int]]:
    return [(p.stem, p.read_text().count(">")) for p in sorted(SPOOL.glob("*.fa"))]
