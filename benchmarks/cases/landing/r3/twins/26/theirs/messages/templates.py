"""The texts that we send; {fields} are filled in by messages.render."""

RECEIPT = """\
{salutation},
we received {amount} EUR for invoice {number}.
"""

WELCOME = """\
Hello {customer}, nice to have you here.
"""

ALL = {
    "receipt": RECEIPT,
    "welcome": WELCOME,
}
