"""Unpack what a museum sends us and count it."""
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Result:
    workdir: Path
    names: list = field(default_factory=list)
    size: int = 0


def process(bundle):
    workdir = Path(tempfile.mkdtemp(prefix="bundle-"))
    result = Result(workdir)
    with zipfile.ZipFile(bundle) as z:
        z.extractall(workdir)
    for path in sorted(workdir.rglob("*")):
        if path.is_file():
            result.names.append(path.relative_to(workdir).as_posix())
            result.size += path.stat().st_size
    return result
