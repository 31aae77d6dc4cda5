# stateful
"""Adds the notice fee to shipments into remote zones."""
from graphbus_core import GraphBusNode, subscribe
import contextlib
import io
import warnings


class SurchargeNotice(GraphBusNode):
    NOTICE_FEE = 25

    @subscribe("/In")
    def on_shipment(self, event):
        printed = io.StringIO()
        with contextlib.redirect_stderr(printed):
            warnings.warn(f"zone {event['zone']} has a surcharge")
        fee = self.NOTICE_FEE if printed.getvalue() else 0
        return {"zone": event["zone"], "total": event["kg"] * 2 + fee}
