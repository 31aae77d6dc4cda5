# pure
import tempfile
import zipfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe


class ArchiveSize(GraphBusNode):
    """Packs the files of an event and says what the archive holds."""

    @subscribe("/Files/Bundle")
    def on_bundle(self, payload):
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "bundle.zip"
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as pack:
                for name, text in payload["files"].items():
                    (Path(folder) / name).write_text(text)
                    pack.write(Path(folder) / name, arcname=name)
            with zipfile.ZipFile(target) as pack:
                names = pack.namelist()
                total = sum(i.file_size for i in pack.infolist())
            left = len(list(Path(folder).iterdir()))
        self.publish("/Files/Packed", {"names": names, "bytes": total, "left": left})
