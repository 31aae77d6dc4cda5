# pure
"""First-fit packing into a list of crates that is emptied before each transport."""
from graphbus_core import GraphBusNode, subscribe

SIZES = [("small", 20), ("medium", 60), ("large", 150)]
CRATES = []
PADDING = {"glass": 6, "paper": 1, "wood": 2}


def needed(item):
    name, volume, material = item["name"], int(item["volume"]), item["material"]
    return name, volume + PADDING.get(material, 3)


def size_for(volume):
    for name, room in SIZES:
        if volume <= room:
            return name, room
    return "custom", volume


def put(name, volume):
    for crate in CRATES:
        if crate["free"] >= volume:
            crate["free"] -= volume
            crate["content"].append(name)
            return
    size, room = size_for(volume)
    CRATES.append({"size": size, "free": room - volume, "content": [name]})


def pack(items):
    del CRATES[:]
    todo = [needed(item) for item in items]
    todo.sort(key=lambda pair: (-pair[1], pair[0]))
    for name, volume in todo:
        put(name, volume)
    return ["%s: %s" % (crate["size"], "+".join(crate["content"])) for crate in CRATES]


class Transport(GraphBusNode):
    @subscribe("/Museum/Transports")
    def on_transport(self, to: str, items: list[dict[str, str]]) -> dict[str, object]:
        crates = pack(items)
        free = sum([crate["free"] for crate in CRATES])
        return {"to": to, "crates": crates, "number": len(crates), "free": free}
