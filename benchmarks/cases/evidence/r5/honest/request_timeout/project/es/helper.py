from .limits import Limits
from .search import Search


class Helper:
    limits = Limits()
    search = Search()

    def run(self, tier: str) -> str:
        given = self.limits.of(tier)
        return self.search.query(timeout=given["request_timeout"])["params"]
