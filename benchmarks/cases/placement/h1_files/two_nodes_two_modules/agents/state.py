from dataclasses import dataclass, asdict
@dataclass
class Stats:
    total: int = 0
STATS = Stats()
