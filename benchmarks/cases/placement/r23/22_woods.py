# stateful
"""The list is searched from the front, and what was found is moved to the front; with two matches the order decides."""
from graphbus_core import GraphBusNode, subscribe

BOARDS = [
    {"wood": "beech", "thickness": 18, "shelf": "A1"},
    {"wood": "oak", "thickness": 20, "shelf": "A2"},
    {"wood": "oak", "thickness": 27, "shelf": "B1"},
    {"wood": "beech", "thickness": 27, "shelf": "B2"},
    {"wood": "ash", "thickness": 24, "shelf": "C1"},
    {"wood": "walnut", "thickness": 40, "shelf": "C4"},
]


def fits(board, wood, thickness):
    return board["wood"] == wood and board["thickness"] >= thickness


def find(wood, thickness):
    i = 0
    while i < len(BOARDS):
        if fits(BOARDS[i], wood, thickness):
            if i > 0:
                BOARDS.insert(0, BOARDS.pop(i))     # the popular ones are found sooner
            return BOARDS[0]
        i = i + 1
    return None


class BoardFinder(GraphBusNode):
    @subscribe("/Workshop/FindBoard")
    def on_find(self, wood: str, thickness: int) -> dict:
        board = find(wood.strip().lower(), thickness)
        if board is None:
            return {"found": 0, "buy": "%s %d mm" % (wood, thickness)}
        return {"found": 1, "shelf": board["shelf"], "plane_off": board["thickness"] - thickness}
