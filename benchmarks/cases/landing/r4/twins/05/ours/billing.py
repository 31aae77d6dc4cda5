"""Invoices and their payment."""
import bus

INVOICES = {}


def issue(number, user, cents):
    INVOICES[number] = {"user": user, "cents": cents, "paid": False}


def pay(number):
    invoice = INVOICES[number]
    if invoice["paid"]:
        return
    invoice["paid"] = True
    bus.publish("invoice.paid", {
        "invoice": number,
        "user_id": invoice["user"],
        "cents": invoice["cents"],
    })
