from enum import Enum


class Level(Enum):
    MILD = ("mild", 3)
    RUDE = ("rude", 2)
    HARD = ("hard", 1)

    def __init__(self, label: str, allowed: int) -> None:
        self.label = label
        self.allowed = allowed
        self.offenders: dict[str, int] = {}

    def strike(self, user: str) -> bool:
        """Note a strike; true when the user has had enough of them."""
        self.offenders[user] = self.offenders.get(user, 0) + 1
        return self.offenders[user] > self.allowed

    @property
    def stars(self) -> str:
        return "*" * (4 - self.allowed)
