# pure
"""Sums all net amounts found anywhere in a JSON body."""
from graphbus_core import GraphBusNode, subscribe
import json
from decimal import Decimal


class Plain(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, Decimal):
            return str(o)
        return super().default(o)


class PayloadNode(GraphBusNode):
    @subscribe("/In")
    def on_payload(self, event):
        amounts = []

        def collect(obj):
            if "net" in obj:
                amounts.append(Decimal(obj["net"]))
            return obj

        body = json.loads(event["body"], object_hook=collect, parse_float=Decimal)
        return {"echo": json.dumps(body, cls=Plain, sort_keys=True), "total": int(sum(amounts) * 100)}
