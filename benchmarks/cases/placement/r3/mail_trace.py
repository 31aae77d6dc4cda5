# stateful
from email.message import EmailMessage

from graphbus_core import GraphBusNode, subscribe


class MailTrace(GraphBusNode):
    """Builds the notification mail for a parcel scan."""

    def __init__(self):
        super().__init__()
        self.mail = EmailMessage()
        self.mail["From"] = "parcels@example.com"

    @subscribe("/Parcel/Scanned")
    def on_scan(self, payload):
        self.mail["X-Station"] = payload["station"]
        self.mail.set_content(f"Parcel {payload['parcel']} is at {payload['station']}.")
        self.publish("/Mail/Out", {"source": self.mail.as_string()})
