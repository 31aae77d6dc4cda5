from dataclasses import dataclass, field


@dataclass
class Member:
    email: str
    name: str
    lapsed: bool = False
    notes: list = field(default_factory=list)


class Roll:
    def __init__(self, members=()):
        self._members = list(members)

    def add(self, member):
        self._members.append(member)

    def find(self, email=None, include_lapsed=False):
        """Members on the roll, optionally those with one e-mail address only."""
        return [
            m for m in self._members
            if (email is None or m.email == email)
            and (include_lapsed or not m.lapsed)
        ]
