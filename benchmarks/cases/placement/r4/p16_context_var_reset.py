# pure
"""Prices a request with the tenant's tax."""
from graphbus_core import GraphBusNode, subscribe
from contextlib import contextmanager
from contextvars import ContextVar

TAX = {"public": 0, "acme": 20, "zeta": 10}
tenant = ContextVar("tenant", default="public")


@contextmanager
def acting_for(name):
    token = tenant.set(name)
    try:
        yield
    finally:
        tenant.reset(token)


def gross(net):
    return net * (100 + TAX[tenant.get()]) // 100


class TenantNode(GraphBusNode):
    @subscribe("/In")
    def on_request(self, event):
        if event["tenant"] is None:
            return {"tenant": tenant.get(), "total": gross(event["net"])}
        with acting_for(event["tenant"]):
            return {"tenant": tenant.get(), "total": gross(event["net"])}
