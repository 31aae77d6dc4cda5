# stateful
"""Fee of an upload by its kind; images are cheaper."""
from graphbus_core import GraphBusNode, subscribe
import mimetypes
import os.path


class UploadNode(GraphBusNode):
    @subscribe("/In")
    def on_upload(self, event):
        if event["declared"]:
            mimetypes.add_type(event["declared"], os.path.splitext(event["file"])[1])
        kind = mimetypes.guess_type(event["file"])[0] or "unknown"
        return {"kind": kind, "total": 1 if kind.startswith("image/") else 50}
