# pure
"""Keeps nothing: account numbers are checked by arithmetic alone, and the default list is only copied."""
from graphbus_core import GraphBusNode, subscribe

LENGTHS = {"DE": 22, "FR": 27, "NL": 18, "AT": 20, "CH": 21, "BE": 16}


def compact(text):
    return "".join(text.split()).upper()


def digits(text):
    out = ""
    for ch in text:
        if ch.isdigit():
            out += ch
        elif "A" <= ch <= "Z":
            out += str(ord(ch) - 55)
        else:
            return ""
    return out


def problems(iban, notes=[]):
    # notes: extra remarks of the caller, mostly none
    bad = list(notes)
    want = LENGTHS.get(iban[:2])
    if want is None:
        bad.append("country")
    elif len(iban) != want:
        bad.append("length")
    number = digits(iban[4:] + iban[:4])
    if not number:
        bad.append("characters")
    elif int(number) % 97 != 1:
        bad.append("checksum")
    return bad


class IbanCheck(GraphBusNode):
    @subscribe("/payments/iban")
    def check(self, iban: str) -> dict:
        iban = compact(iban)
        bad = problems(iban)
        groups = [iban[i:i + 4] for i in range(0, len(iban), 4)]
        return {"iban": " ".join(groups), "valid": not bad, "problems": bad}
