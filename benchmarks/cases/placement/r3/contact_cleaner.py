# pure
import re

from graphbus_core import GraphBusNode, subscribe


def strip_all(record):
    for key, value in list(record.items()):
        if isinstance(value, str):
            record[key] = value.strip()


def fix_phone(record):
    phone = re.sub(r"[^\d+]", "", record.pop("tel", ""))
    if phone.startswith("00"):
        phone = "+" + phone[2:]
    record["phone"] = phone


def drop_empty(record):
    for key in [k for k, v in record.items() if v in ("", None)]:
        del record[key]


STEPS = [strip_all, fix_phone, drop_empty]


class ContactCleaner(GraphBusNode):
    @subscribe("/Contact/Raw")
    def on_raw(self, payload):
        record = dict(payload)
        for step in STEPS:
            step(record)
        record.setdefault("country", "DE")
        self.publish("/Contact/Clean", record)
