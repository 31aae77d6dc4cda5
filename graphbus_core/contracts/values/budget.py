"""The step budget of one decision, and how it says that it gives up. No clock: the same input takes the same steps."""

from __future__ import annotations

STEPS = 250_000  # of one decision; a step takes some microseconds


class GivesUp(Exception):
    """The decision stops: the budget is used up, or a schema cannot be read. `kind` is that of a Reason."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


class Budget:
    """Counts steps. A step costs microseconds; `take` raises GivesUp when they are used up."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def take(self, steps: int = 1) -> None:
        """Use up some steps."""
        self.left -= steps
        if self.left < 0:
            raise GivesUp("budget", "it takes more steps than allowed to decide; the schemas combine too many cases")
