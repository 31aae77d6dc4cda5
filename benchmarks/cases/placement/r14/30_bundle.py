# pure
"""Packs the files of one event, with a fixed date, in memory."""
import hashlib
import io
import zipfile
from pathlib import PurePosixPath

from graphbus_core import GraphBusNode, subscribe

_DATE = (1980, 1, 1, 0, 0, 0)
_MAX_FILES = 50


def safe_name(name: str) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"unsafe name: {name!r}")
    return str(path)


def pack(files: dict[str, str]) -> bytes:
    if len(files) > _MAX_FILES:
        raise ValueError("too many files")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression=zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(safe_name(name), date_time=_DATE)
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[name].encode())
    return buffer.getvalue()


class Bundle(GraphBusNode):
    """Reproducible archives: equal files give equal digests."""

    @subscribe("/Bundle/Requested")
    def on_event(self, bundle: str, files: dict[str, str]) -> dict[str, object]:
        try:
            data = pack(files)
        except ValueError as error:
            return {"bundle": bundle, "error": str(error)}
        return {"bundle": bundle, "bytes": len(data), "digest": hashlib.sha256(data).hexdigest()}
