"""Codes printed on the wall next to the belt."""

CODES = {
    "IN": "parcel arrives",
    "HOLD": "put on the red shelf",
    "OUT": "parcel leaves",
}


def sheet():
    return "\n".join(f"{code:<12}{text}" for code, text in CODES.items())
