from dataclasses import dataclass


@dataclass
class Record:
    """One line of the call detail records."""

    duration: int
    zone: str

    def __post_init__(self):
        self.duration = -(-self.duration // 60)
