"""Compiled code of frozen modules, kept between runs: compiling is half of the start of a thousand nodes.

The file holds code that runs, and it lies in `.graphbus/`, where an archive or another program may put one. So it is
sealed (`files.seal`): what this user did not write on this machine is not even unmarshalled, and the next run writes
its own over it. Where no key can be kept, nothing is. Code is looked up by the digest of its source, which was verified
against the manifest. It is written when a first run of a large build stops, and may be deleted at any time.
"""

from __future__ import annotations

import marshal
import os
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType

from graphbus_core.files.seal import seal_for, unsealed
from graphbus_core.files.whole import put_whole

WORTH_KEEPING = 50  # modules; below, compiling takes a few milliseconds
PURPOSE = "compiled code"


class CodeCache:
    """The compiled modules of one folder, for this Python."""

    def __init__(self, folder: Path) -> None:
        self._root = os.path.abspath(folder)
        name = f"code-{sys.implementation.cache_tag}-{sys.flags.optimize}.bin"
        self.file = folder / "runtime" / name
        # The name is sealed too: code of `python -O`, put under the plain name, would run without its assertions.
        self._made_for = (MAGIC_NUMBER, name, self._root)
        self._codes: dict[str, CodeType] = self._read()
        self._used: dict[str, CodeType] = {}
        self._compiled = 0

    def compile(self, source: bytes, digest: str, path: str) -> CodeType:
        """The code of a source with that digest. `path` is where it stands, relative to the folder."""
        key = f"{digest} {path}"
        code = self._codes.get(key)
        if code is None:
            code = compile(source, f"{self._root}/{path}", "exec", dont_inherit=True)
            self._compiled += 1
        self._used[key] = code
        return code

    def save(self) -> None:
        """Keep what was compiled, where that is worth it, a key can be kept and the folder may be written."""
        if not self._compiled or len(self._used) < WORTH_KEEPING:
            return
        self._compiled = 0
        seal = seal_for(PURPOSE)
        if seal is None:
            return
        content = seal.put(marshal.dumps((self._made_for, self._used)))
        try:
            self.file.parent.mkdir(exist_ok=True)
            put_whole(self.file, content)
        except OSError:
            return  # a folder that is only read: the next run compiles again

    def _read(self) -> dict[str, CodeType]:
        body = unsealed(self.file, PURPOSE)
        if body is None:
            return {}
        made_for, codes = marshal.loads(body)
        return codes if made_for == self._made_for else {}
