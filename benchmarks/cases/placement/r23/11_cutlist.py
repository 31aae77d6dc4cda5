# pure
"""The boards that are opened while packing belong to the one event."""
from graphbus_core import GraphBusNode, subscribe

SIZES = {"mdf": 2800, "ply": 2500, "solid": 3000}
KERF = {"mdf": 3, "ply": 3, "solid": 4}
STATE = {}


def start(material):
    STATE.clear()
    STATE["size"] = SIZES.get(material, 2000)
    STATE["kerf"] = KERF.get(material, 4)
    STATE["boards"] = []
    STATE["too_long"] = []


def place(length):
    if length > STATE["size"]:
        STATE["too_long"].append(length)
        return
    for board in STATE["boards"]:
        if board["free"] >= length:
            break
    else:
        board = {"free": STATE["size"], "pieces": []}
        STATE["boards"].append(board)
    board["pieces"].append(length)
    board["free"] -= length + STATE["kerf"]


class CutList(GraphBusNode):
    @subscribe("/Planning/CutList")
    def on_list(self, material: str, lengths: list[int]) -> dict:
        start(material)
        for length in sorted(lengths, reverse=True):
            place(length)
        waste = 0
        for board in STATE["boards"]:
            waste += max(board["free"], 0)
        return {
            "boards": [b["pieces"] for b in STATE["boards"]],
            "waste": waste,
            "too_long": STATE["too_long"],
        }
