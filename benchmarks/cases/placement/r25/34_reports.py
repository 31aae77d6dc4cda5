# pure
"""Keeps a count of reports for a debugger, which no answer uses."""
from graphbus_core import GraphBusNode, subscribe


class Report:
    """Template method: subclasses say how the parts look."""

    def write(self, title, rows):
        parts = [self.head(title)]
        for key in sorted(rows):
            parts.append(self.row(key, rows[key]))
        parts.append(self.foot(len(rows)))
        return self.glue().join(p for p in parts if p)

    def head(self, title):
        return title

    def row(self, key, value):
        raise NotImplementedError

    def foot(self, n):
        return ""

    def glue(self):
        return "\n"


class Plain(Report):
    def row(self, key, value):
        return f"{key:.<12}{value:>6}"

    def foot(self, n):
        return f"({n} rows)"


class Html(Report):
    def head(self, title):
        return f"<h1>{title}</h1><table>"

    def row(self, key, value):
        return f"<tr><td>{key}</td><td>{value}</td></tr>"

    def foot(self, n):
        return "</table>"

    def glue(self):
        return ""


class ReportNode(GraphBusNode):
    _kinds = {"plain": Plain, "html": Html}

    def __init__(self):
        super().__init__()
        self._written = 0

    @subscribe("/reports/make")
    def make(self, form: str, title: str, rows: dict[str, int]) -> dict:
        report = self._kinds.get(form, Plain)()
        self._written += 1
        return {"kind": type(report).__name__, "body": report.write(title, rows)}
