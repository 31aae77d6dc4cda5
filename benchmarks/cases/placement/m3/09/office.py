from graphbus_core import GraphBusNode, subscribe

from i18n import _, activate, translate


class LanguageDesk(GraphBusNode):
    @subscribe("/Office/Language")
    def choose(self, code: str) -> str:
        activate(code)
        return code.upper()


class Greeting(GraphBusNode):
    @subscribe("/Pupil/Arrived")
    def arrived(self, name: str, minutes_late: int) -> str:
        words = _("hello", name=name)
        if minutes_late > 0:
            words += ", " + _("late", n=minutes_late)
        return words


class LetterHome(GraphBusNode):
    """Writes to the parents in the language the event names."""

    @subscribe("/Letter")
    def letter(self, code: str, name: str, passed: bool) -> str:
        return translate(code, "hello", name=name) + ": " + translate(code, "passed" if passed else "failed")
