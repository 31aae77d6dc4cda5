import json
from collections import Counter
from pathlib import Path

from crawler import WEB, Crawler

lines = Path(__file__).with_name("yesterday.jsonl").read_text().splitlines()
crawler = Crawler()
lines += [json.dumps(crawler.fetch(f"https://{host}/")) for host in WEB]
by = Counter(map(lambda line: json.loads(line)["status"], lines))
print(sorted(by.items()))
