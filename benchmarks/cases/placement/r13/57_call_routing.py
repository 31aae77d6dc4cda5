# stateful
"""The environment is used as a settings store: a default put in by one event is found by the next."""
import os
from string import Template

from graphbus_core import GraphBusNode, subscribe

SKILLS = {"motor": "team-a", "home": "team-b", "legal": "team-c"}


def expand(text: str) -> str:
    return os.path.expandvars(text)


class CallRouting(GraphBusNode):
    """Scripts of the phone menu may use $INS_TEAM and $INS_LINE."""

    def greeting(self, script: str, line: str, team: str | None) -> str:
        if team:
            os.environ["INS_TEAM"] = team
        return Template(expand(script)).safe_substitute(INS_LINE=line)

    @subscribe("/Phone/Call")
    def route(self, number: str, line: str, script: str) -> dict[str, object]:
        team = SKILLS.get(line)
        spoken = self.greeting(script, line, team)
        return {"number": number[-4:], "target": team or "front-desk", "spoken": spoken}
