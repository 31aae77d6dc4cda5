# pure
"""Opens all parts of a bundle, reads them and closes them in reverse order."""
from graphbus_core import GraphBusNode, subscribe
import io
from contextlib import ExitStack


class BundleNode(GraphBusNode):
    @subscribe("/In")
    def on_bundle(self, event):
        closed = []
        with ExitStack() as stack:
            files = []
            for i, text in enumerate(event["parts"]):
                files.append(stack.enter_context(io.StringIO(text)))
                stack.callback(closed.append, i)
            size = sum(len(f.read()) for f in files)
        return {"closed": closed, "total": size}
