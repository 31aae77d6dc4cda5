# stateful
import functools

from graphbus_core import GraphBusNode, subscribe


def once_per(field):
    used = set()

    def wrap(handler):
        @functools.wraps(handler)
        def inner(self, payload):
            if payload[field] in used:
                return None
            used.add(payload[field])
            return handler(self, payload)

        return inner

    return wrap


class Coupons(GraphBusNode):
    @subscribe("/Coupon/Shown")
    @once_per("code")
    def on_shown(self, payload):
        self.publish("/Coupon/Accepted", {"code": payload["code"], "off": 5})
