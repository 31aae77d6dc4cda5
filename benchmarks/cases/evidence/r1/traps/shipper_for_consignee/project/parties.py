from typing import TypedDict


class Party(TypedDict):
    name: str
    mail: str
