from graphbus_core import GraphBusNode, subscribe

from trees import BUILTINS, Env, Reader, run


class EvalNode(GraphBusNode):
    """Runs a little program in an environment of its own."""

    @subscribe("/Eval")
    def on_program(self, lines: list[str]) -> dict:
        env = Env(BUILTINS)
        results = []
        for line in lines:
            try:
                results.append(run(Reader(line).statement(), env))
            except SyntaxError as error:
                results.append(str(error))
        return {"results": results}
