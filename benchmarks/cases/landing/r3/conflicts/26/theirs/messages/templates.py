"""The texts that we send; {fields} are filled in by messages.render."""

RECEIPT = """\
Dear {client},
we received {amount} EUR for invoice {number}.
"""

WELCOME = """\
Hello {client}, nice to have you here.
"""

ALL = {
    "receipt": RECEIPT,
    "welcome": WELCOME,
}
