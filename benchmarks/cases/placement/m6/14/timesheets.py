from dataclasses import dataclass, field
from functools import cache

from bands import GRADES, WEEK


@dataclass
class Timesheet:
    team: str
    budget: int
    hours: list[int] = field(default_factory=list)

    def enter(self, hours: int) -> int:
        """Book overtime, give back what the budget covers of it."""
        covered = max(0, min(hours, self.budget - sum(self.hours)))
        self.hours.append(covered)
        return covered


@cache
def sheet_of(team: str) -> Timesheet:
    return Timesheet(team, budget=10 + 2 * len(team))


def wage(grade: str, hours: int) -> int:
    rate = GRADES[grade]
    extra = max(0, hours - WEEK)
    return rate * (hours - extra) + rate * extra * 3 // 2
