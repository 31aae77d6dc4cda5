# pure
"""Keeps nothing: files are written into a temporary folder that is gone when the handler returns."""
import hashlib
import zipfile
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from graphbus_core import GraphBusNode, subscribe

LIMIT = 4096


def unpack(archive: zipfile.ZipFile, folder: Path) -> None:
    for info in archive.infolist():
        target = (folder / info.filename).resolve()
        if not target.is_relative_to(folder.resolve()):
            raise ValueError(f"leaves the folder: {info.filename}")
        if info.file_size > LIMIT:
            raise ValueError(f"too large: {info.filename}")
        archive.extract(info, folder)


def manifest(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.md5(path.read_bytes()).hexdigest()[:12]
        for path in sorted(folder.rglob("*")) if path.is_file()
    }


class BundleCheck(GraphBusNode):
    """Packs texts into an archive, unpacks it as a customer would, and lists what came out."""

    @subscribe("/Bundle/Files")
    def on_files(self, bundle: str, files: dict[str, str]) -> dict[str, object]:
        with ExitStack() as stack:
            work = Path(stack.enter_context(TemporaryDirectory(prefix="bundle-")))
            packed = work / "bundle.zip"
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, text in files.items():
                    archive.writestr(name, text)
            out = work / "out"
            out.mkdir()
            archive = stack.enter_context(zipfile.ZipFile(packed))
            try:
                unpack(archive, out)
            except ValueError as error:
                return {"bundle": bundle, "rejected": str(error)}
            return {"bundle": bundle, "manifest": manifest(out)}
