"""The payment service."""
ATTEMPTS = 3


class Declined(Exception):
    """The service refused the charge."""


class GatewayDown(Exception):
    """The payment service cannot be reached."""

    def __init__(self, attempts):
        super().__init__(f"no answer after {attempts} attempts")
        self.attempts = attempts


class Gateway:
    def __init__(self, transport):
        self.transport = transport

    def charge(self, account, cents):
        """Charge an account; return the number of the receipt.

        GatewayDown when the service does not answer, Declined when it says no.
        """
        for _ in range(ATTEMPTS):
            try:
                reply = self.transport({"account": account, "cents": cents})
                break
            except ConnectionError:
                continue
        else:
            raise GatewayDown(ATTEMPTS)
        if not reply["ok"]:
            raise Declined(reply.get("reason", "declined"))
        return reply["receipt"]
