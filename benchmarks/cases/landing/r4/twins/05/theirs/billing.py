"""Invoices and their payment."""
import bus

INVOICES = {}


def issue(number, account, cents):
    INVOICES[number] = {"account": account, "cents": cents, "paid": False}


def pay(number):
    invoice = INVOICES[number]
    if invoice["paid"]:
        return
    invoice["paid"] = True
    bus.publish("invoice.paid", {
        "invoice": number,
        "account_id": invoice["account"],
        "user_id": invoice["account"],  # until all subscribers have moved
        "cents": invoice["cents"],
    })
