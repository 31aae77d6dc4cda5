from collector import Collector
from errorrate import ErrorRate

LOG = ["GET / 200 12 0", "POST /cart 502 90 2", "GET /cart 200 31 0", "GET /faq 404 3 0"]
collector, rate = Collector(), ErrorRate()
for line in LOG:
    span = collector.span(line)
    print(span["path"], rate.count(status_code=span["response_status_code"]))
