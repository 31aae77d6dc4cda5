import json

from cinema import Cinema
from projector import Projector

NODES = {"cinema": Cinema, "projector": Projector}


def handle(text):
    request = json.loads(text)
    node, _, method = request["method"].partition(".")
    try:
        result = getattr(NODES[node](), method)(**request["params"])
    except TypeError as error:
        return {"error": str(error), "id": request["id"]}
    return {"result": result, "id": request["id"]}
