"""The payment service."""


class Declined(Exception):
    """The service refused the charge."""


class Gateway:
    def __init__(self, transport):
        self.transport = transport

    def charge(self, account, cents):
        """Charge an account; return the number of the receipt.

        ConnectionError when the service cannot be reached, Declined when it says no.
        """
        reply = self.transport({"account": account, "cents": cents})
        if not reply["ok"]:
            raise Declined(reply.get("reason", "declined"))
        return reply["receipt"]
