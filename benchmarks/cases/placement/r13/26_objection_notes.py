# stateful
"""One exception instance is raised again and again; add_note piles up on it."""
from graphbus_core import GraphBusNode, subscribe


class Rejected(Exception):
    pass


NOT_COVERED = Rejected("not covered")
EXCLUSIONS = {"war", "wear", "intent"}


def assert_covered(cause: str, policy: str) -> None:
    if cause in EXCLUSIONS:
        NOT_COVERED.add_note(f"{policy}: exclusion {cause}")
        raise NOT_COVERED


class Objections(GraphBusNode):
    @subscribe("/Claims/Cause")
    def on_cause(self, policy: str, cause: str) -> dict[str, object]:
        try:
            assert_covered(cause.lower(), policy)
        except Rejected as why:
            return {"policy": policy, "paid": False, "letter": "\n".join([str(why), *why.__notes__])}
        return {"policy": policy, "paid": True, "letter": ""}
