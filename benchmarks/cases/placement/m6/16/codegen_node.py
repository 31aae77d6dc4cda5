from itertools import count

from graphbus_core import GraphBusNode, subscribe

from trees import Bin, Let, Reader, show

temporaries = (f"t{i}" for i in count(1))


def lower(tree, code: list[str]) -> str:
    if isinstance(tree, Let):
        code.append(f"{tree.name} := {lower(tree.body, code)}")
        return tree.name
    if isinstance(tree, Bin):
        left, right = lower(tree.left, code), lower(tree.right, code)
        name = next(temporaries)
        code.append(f"{name} := {left} {tree.op} {right}")
        return name
    return show(tree)


class CodegenNode(GraphBusNode):
    @subscribe("/Codegen")
    def on_line(self, line: str) -> dict:
        code: list[str] = []
        result = lower(Reader(line).statement(), code)
        return {"code": code, "result": result}
