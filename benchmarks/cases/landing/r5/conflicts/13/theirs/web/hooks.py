import json

from web.router import route

PAID = set()


@route("/hooks/payment")
def payment(body):
    """Called by the payment service, which has its own signature and no session."""
    event = json.loads(body)
    if event["state"] == "paid":
        PAID.add(event["order"])
    return "ok"
