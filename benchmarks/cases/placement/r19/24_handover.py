# pure
"""A new visitor object walks through the notes of each event, so that nothing of it outlives the event."""
from graphbus_core import GraphBusNode, subscribe


class NoteVisitor:
    def __init__(self, heading: list[str] = []) -> None:
        self.lines: list[str] = [*heading]
        self.open_tasks = 0
        self.last_room = ""

    def visit(self, note: dict[str, str]) -> None:
        if note.get("room", "") != self.last_room:
            self.last_room = note.get("room", "")
            self.lines.append(f"Room {self.last_room or 'unknown'}")
        method = getattr(self, "visit_" + note.get("kind", ""), self.visit_other)
        method(note)

    def visit_task(self, note: dict[str, str]) -> None:
        self.open_tasks += 1
        self.lines.append(f"  [ ] {note['text']}")

    def visit_done(self, note: dict[str, str]) -> None:
        self.open_tasks = max(0, self.open_tasks - 1)
        self.lines.append(f"  [x] {note['text']}")

    def visit_other(self, note: dict[str, str]) -> None:
        self.lines.append(f"  - {note.get('text', '')}")


class NightVisitor(NoteVisitor):
    """The night shift wants only what is still to be done."""

    def visit_done(self, note: dict[str, str]) -> None:
        self.open_tasks = max(0, self.open_tasks - 1)

    def visit_other(self, note: dict[str, str]) -> None:
        if "!" in note.get("text", ""):
            super().visit_other(note)


class Handover(GraphBusNode):
    visitors: dict[str, type[NoteVisitor]] = {"night": NightVisitor}

    @subscribe("/Clinic/Shift")
    def on_shift_end(self, next_shift: str, notes: list[dict[str, str]]) -> dict[str, object]:
        visitor = self.visitors.get(next_shift, NoteVisitor)
        visitor = visitor(["Urgent first!"]) if len(notes) > 2 else visitor()
        for note in notes:
            visitor.visit(note)
        return {"shift": next_shift, "open": visitor.open_tasks, "sheet": "\n".join(visitor.lines)}
