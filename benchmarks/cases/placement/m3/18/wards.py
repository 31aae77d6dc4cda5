import os
from string import Template

WARDS = {"north": 12, "south": 8, "burns": 4}
NOTICE = Template("Ward $ward, $beds beds: $text")


def on_duty():
    return os.environ.get("CLINIC_WARD", "north")
