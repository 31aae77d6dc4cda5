"""Gift cards: the value is in the code, and so is the check."""
import base64
import hmac
from hashlib import sha256

from graphbus_core import GraphBusNode, depends_on, schema_method

KEY = b"till"


def sign(text):
    return hmac.new(KEY, text.encode(), sha256).hexdigest()[:8]


class GiftDesk(GraphBusNode):
    @schema_method(
        input_schema={"buyer": str, "euro": int},
        output_schema={"buyer": str, "voucher": str},
    )
    def issue(self, buyer, euro):
        body = f"{euro}:{buyer}"
        raw = f"{body}:{sign(body)}".encode()
        return {"buyer": buyer, "voucher": base64.b32encode(raw).decode()}


class TillPoint(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.used = set()

    @depends_on("GiftDesk.issue")
    @schema_method(input_schema={"redeem_code": str}, output_schema={"worth": int})
    def redeem(self, redeem_code):
        try:
            body, _, mark = base64.b32decode(redeem_code).decode().rpartition(":")
        except ValueError:
            return {"worth": 0}
        if not hmac.compare_digest(sign(body), mark) or redeem_code in self.used:
            return {"worth": 0}
        self.used.add(redeem_code)
        return {"worth": int(body.split(":")[0])}


class Shop:
    def __init__(self):
        self.desk, self.till = GiftDesk(), TillPoint()

    def refund_as_gift(self, customer, euro):
        """Issues a card and redeems it at once against the new purchase."""
        card = self.desk.issue(customer, euro)
        return self.till.redeem(redeem_code=card["voucher"])["worth"]
