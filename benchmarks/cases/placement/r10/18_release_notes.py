# pure
"""Keeps nothing: notes are grouped from the commits in the event."""
import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from typing import Self

from graphbus_core import GraphBusNode, subscribe

COMMIT = re.compile(r"^(?P<kind>[a-z]+)(?:\((?P<scope>[\w-]+)\))?(?P<breaking>!)?: (?P<text>.+)$")
HEADINGS = {"feat": "Features", "fix": "Bug fixes", "perf": "Performance", "docs": "Documentation"}
ISSUE = re.compile(r"#(\d+)")


@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int
    patch: int

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(*map(int, text.removeprefix("v").split(".")))

    def __str__(self) -> str:
        return f"v{self.major}.{self.minor}.{self.patch}"

    def bump(self, kinds: set[str], breaking: bool) -> "Version":
        if breaking:
            return Version(self.major + 1, 0, 0)
        if "feat" in kinds:
            return Version(self.major, self.minor + 1, 0)
        return Version(self.major, self.minor, self.patch + 1)


class ReleaseNotes(GraphBusNode):
    @subscribe("/release/cut")
    def on_release(self, version: str, commits: list[str]) -> dict[str, object]:
        try:
            current = Version.parse(version)
        except (ValueError, TypeError):
            return {"error": f"version {version}"}
        sections: defaultdict[str, list[str]] = defaultdict(list)
        kinds: set[str] = set()
        breaking = False
        footnote = count(1)
        references: dict[str, int] = {}
        for line in commits:
            if (found := COMMIT.match(line)) is None:
                continue
            kinds.add(found["kind"])
            breaking |= bool(found["breaking"])
            for issue in ISSUE.findall(found["text"]):
                if issue not in references:
                    references[issue] = next(footnote)
            text = ISSUE.sub(lambda match: f"[{references[match[1]]}]", found["text"])
            prefix = f"**{found['scope']}** " if found["scope"] else ""
            sections[HEADINGS.get(found["kind"], "Other")].append(f"- {prefix}{text}")
        body = "\n".join(f"## {heading}\n" + "\n".join(sections[heading]) for heading in sorted(sections))
        notes = [f"[{number}] issue {issue}" for issue, number in references.items()]
        return {"version": str(current.bump(kinds, breaking)), "body": body, "references": notes}
