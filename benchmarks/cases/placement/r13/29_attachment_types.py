# stateful
"""mimetypes.add_type writes into the process-wide table that all later guesses use."""
import mimetypes

from graphbus_core import GraphBusNode, subscribe

REFUSED = {"application/x-msdownload", None}


class Attachments(GraphBusNode):
    @subscribe("/Mail/Attachment")
    def on_attachment(self, filename: str, declared: str) -> dict[str, object]:
        guessed, _ = mimetypes.guess_type(filename)
        dot = filename.rfind(".")
        if guessed is None and declared and dot > 0:
            mimetypes.add_type(declared, filename[dot:].lower())
            guessed = declared
        return {"file": filename, "type": guessed or "unknown", "refused": guessed in REFUSED}
