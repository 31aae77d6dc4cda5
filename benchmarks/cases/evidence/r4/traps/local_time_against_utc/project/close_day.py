from datetime import timedelta

from report import Report
from till import Till

OFFSET = timedelta(hours=1)
closed = Till().close("t1")
print(Report().stamp(till=closed["till"], when_utc=closed["closed_at"] - OFFSET)["day"])
