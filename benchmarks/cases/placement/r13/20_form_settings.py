# stateful
"""One ConfigParser reads every form: options missing in a form are still there from an earlier one."""
import configparser

from graphbus_core import GraphBusNode, subscribe


class FormSettings(GraphBusNode):
    """Forms come in as small INI texts."""

    def __init__(self) -> None:
        super().__init__()
        self.parser = configparser.ConfigParser(interpolation=None)
        self.parser.read_string("[form]\npaper = A4\n")

    @subscribe("/Forms/Ini")
    def on_form(self, form_id: str, text: str) -> dict[str, object]:
        try:
            self.parser.read_string(text)
        except configparser.Error as exc:
            return {"form": form_id, "error": type(exc).__name__}
        section = self.parser["form"]
        return {
            "form": form_id,
            "paper": section.get("paper"),
            "signature": section.getboolean("signature", fallback=False),
            "copies": section.getint("copies", fallback=1),
        }
