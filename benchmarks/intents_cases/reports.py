"""Reports: text is read, grouped and printed. Contracts are `TypedDict`s in the file of the classes."""

from benchmarks.intents_cases.case import Intent, Project

REPORTS = Project(
    "reports",
    {
        "reports/__init__.py": "",
        "reports/steps.py": '''"""From a text to a report."""

from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Row(TypedDict):
    """One line that was read."""

    group: str
    value: float


class Group(TypedDict):
    """What the rows of one group come to."""

    name: str
    total: float


class Rows(TypedDict):
    """All that was read."""

    rows: list[Row]


class Groups(TypedDict):
    """All groups."""

    groups: list[Group]


class Parser(GraphBusNode):
    """Reads lines of `GROUP,VALUE`."""

    SYSTEM_PROMPT = "I read what others wrote, and never guess."

    @schema_method(input_schema={"text": str}, output_schema=Rows)
    def parse(self, text: str) -> Rows:
        """Rows in the order of the text; a line that cannot be read is left out."""
        rows: list[Row] = []
        for line in text.splitlines():
            group, comma, value = line.partition(",")
            try:
                rows.append({"group": group.strip(), "value": float(value)})
            except ValueError:
                continue
        return {"rows": rows}


class Grouper(GraphBusNode):
    """Adds up by group."""

    SYSTEM_PROMPT = "I add up. Groups come in the order in which they were first seen."

    @depends_on("Parser.parse")
    @schema_method(input_schema=Rows, output_schema=Groups)
    def gather(self, rows: list[Row]) -> Groups:
        """One entry a group."""
        totals: dict[str, float] = {}
        for row in rows:
            totals[row["group"]] = totals.get(row["group"], 0.0) + row["value"]
        return {"groups": [{"name": name, "total": total} for name, total in totals.items()]}


class Printer(GraphBusNode):
    """Prints one line a group."""

    SYSTEM_PROMPT = "I print. I do no arithmetic."

    @depends_on("Grouper.gather")
    @schema_method(input_schema=Groups, output_schema={"report": str})
    def show(self, groups: list[Group]) -> dict[str, str]:
        """The report as one text."""
        return {"report": "\\n".join(f"{group['name']}: {group['total']:.1f}" for group in groups)}
''',
    },
    """
from reports.steps import Grouper, Parser, Printer
rows = Parser().parse(text="a, 1\\nb,2\\na,3")["rows"]
assert [(r["group"], r["value"]) for r in rows] == [("a", 1.0), ("b", 2.0), ("a", 3.0)], rows
groups = Grouper().gather(rows=rows)["groups"]
assert {g["name"]: g["total"] for g in groups} == {"a": 4.0, "b": 2.0}, groups
""",
)
REPORT = """
from reports.steps import Grouper, Parser, Printer
def report(text):
    return Printer().show(**Grouper().gather(**Parser().parse(text=text)))["report"].splitlines()
"""

INTENTS = (
    Intent(
        "reports-mean",
        REPORTS,
        "Print the mean of each group behind its total: 'a: 4.0 (mean 2.0)'.",
        REPORT + "assert report('a,1\\nb,2\\na,3') == ['a: 4.0 (mean 2.0)', 'b: 2.0 (mean 2.0)'], "
        "report('a,1\\nb,2\\na,3')",
    ),
    Intent(
        "reports-comments",
        REPORTS,
        "A line that begins with # is a comment and never a row, even where it could be read as one.",
        REPORT + "assert report('# a,1\\n#b,5\\n  #c,6\\nb,2') == ['b: 2.0'], report('# a,1\\n#b,5\\n  #c,6\\nb,2')",
    ),
    Intent(
        "reports-skipped",
        REPORTS,
        "Where lines could not be read, the report ends with 'skipped: N', their number. Empty lines do not count.",
        REPORT
        + "assert report('a,1\\nnonsense\\n\\nb,x') == ['a: 1.0', 'skipped: 2'], report('a,1\\nnonsense\\n\\nb,x')\n"
        "assert report('a,1\\n\\n') == ['a: 1.0']",
    ),
    Intent(
        "reports-sorted",
        REPORTS,
        "The group with the largest total comes first in the report; where totals are equal, by name.",
        REPORT + "assert report('a,1\\nc,5\\nb,5') == ['b: 5.0', 'c: 5.0', 'a: 1.0'], report('a,1\\nc,5\\nb,5')",
    ),
)
