from graphbus_core import GraphBusNode, subscribe

from trees import OPS, Bin, Env, Let, Num, Reader, Var, run, show


def simplify(tree):
    match tree:
        case Let(name, body):
            return Let(name, simplify(body))
        case Bin(op, left, right):
            left, right = simplify(left), simplify(right)
            match op, left, right:
                case _, Num(a), Num(b):
                    return Num(OPS[op](a, b))
                case ("+", Num(0), other) | ("+", other, Num(0)) | ("-", other, Num(0)):
                    return other
                case ("*", Num(1), other) | ("*", other, Num(1)):
                    return other
                case ("*", Num(0), _) | ("*", _, Num(0)):
                    return Num(0)
            return Bin(op, left, right)
    return tree


class SimplifyNode(GraphBusNode):
    @subscribe("/Simplify")
    def on_line(self, line: str, values: dict[str, int]) -> dict:
        env = Env()
        for name, value in values.items():
            env.put(name, value)
        tree = Reader(line).statement()
        short = simplify(tree)
        return {
            "short": show(short),
            "constant": not isinstance(short, (Var, Bin, Let)),
            "value": run(short, env),
            "same": run(tree, env) == run(short, env),
        }
