# pure
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe


class ImageSizes(GraphBusNode):
    """Tools that want files get files."""

    @subscribe("/Image/Uploaded")
    def on_uploaded(self, payload):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in payload["parts"].items():
                (Path(folder) / Path(name).name).write_text(text)
            sizes = {p.name: p.stat().st_size for p in sorted(Path(folder).iterdir())}
        self.publish("/Image/Sizes", {"sizes": sizes})
