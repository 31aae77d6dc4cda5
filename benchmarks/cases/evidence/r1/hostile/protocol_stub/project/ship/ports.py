from typing import Protocol


class Steers(Protocol):
    def steer(self, depth: float) -> dict[str, str]: ...
