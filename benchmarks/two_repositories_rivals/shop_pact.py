"""What the shop's tests would hold with Pact: each recorded order is sent to Pact's stand-in, and the pact is written.

python shop_pact.py RECORDED.jsonl FOLDER
"""

import json
import sys
import urllib.request
from pathlib import Path

from pact import Pact, match

pact = Pact("shop", "billing").with_specification("V4")
orders = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
for number, order in enumerate(orders, 1):
    (
        pact.upon_receiving(f"order {number}")
        .with_request("POST", "/orders")
        .with_body(order, content_type="application/json")
        .will_respond_with(200)
        .with_body(
            {"order": match.int(1), "total_cents": match.int(1), "currency": match.regex("EUR", regex="EUR|USD")},
            content_type="application/json",
        )
    )
with pact.serve() as server:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for order in orders:
        headers = {"content-type": "application/json"}
        opener.open(urllib.request.Request(f"{server.url}/orders", json.dumps(order).encode(), headers))
pact.write_file(sys.argv[2], overwrite=True)
