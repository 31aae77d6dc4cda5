"""Delete many documents at once."""
from dataclasses import dataclass, field

from documents import Forbidden


@dataclass
class Outcome:
    deleted: list = field(default_factory=list)
    refused: list = field(default_factory=list)
    missing: list = field(default_factory=list)

    def summary(self):
        parts = [f"{len(self.deleted)} deleted"]
        if self.refused:
            parts.append(f"{len(self.refused)} not yours")
        if self.missing:
            parts.append(f"{len(self.missing)} not found")
        return ", ".join(parts)


def bulk_delete(archive, user, numbers):
    """Delete what the user may delete; the rest stays and is reported."""
    outcome = Outcome()
    for number in dict.fromkeys(numbers):
        try:
            archive.delete(user, number)
        except Forbidden:
            outcome.refused.append(number)
        except KeyError:
            outcome.missing.append(number)
        else:
            outcome.deleted.append(number)
    return outcome
