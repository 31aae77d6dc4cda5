# pure
"""The stack of the bench is an attribute of the node but it is emptied in a finally, whatever becomes of the event."""
from collections.abc import Callable
from contextlib import ExitStack

from graphbus_core import GraphBusNode, subscribe


class Bench:
    def __init__(self) -> None:
        self.voltage = 0
        self.clamped = False
        self.trace: list[str] = []

    def clamp(self) -> Callable[[], None]:
        self.clamped = True
        self.trace.append("clamp")
        return self.release

    def release(self) -> None:
        self.clamped = False
        self.trace.append("release")

    def power(self, volts: int) -> Callable[[], None]:
        if not self.clamped:
            raise RuntimeError("power without clamp")
        before, self.voltage = self.voltage, volts
        self.trace.append(f"{volts}V")

        def undo() -> None:
            self.voltage = before
            self.trace.append(f"{before}V")

        return undo


class BenchTest(GraphBusNode):
    """Runs the little programs that the test engineers write: clamp, power 12, measure 3, ..."""

    def __init__(self) -> None:
        super().__init__()
        self._results: list[int] = []

    def _run(self, bench: Bench, undo: ExitStack, step: str) -> None:
        match step.lower().split():
            case ["clamp"]:
                undo.callback(bench.clamp())
            case ["power", volts] if volts.isdecimal():
                undo.callback(bench.power(int(volts)))
            case ["measure", ohms] if ohms.isdecimal() and int(ohms):
                self._results.append(1000 * bench.voltage // int(ohms))
            case _:
                raise ValueError(f"cannot read {step!r}")

    @subscribe("/Bench/Program")
    def on_program(self, device: str, steps: list[str]) -> dict[str, object]:
        bench = Bench()
        error = ""
        try:
            with ExitStack() as undo:
                for step in steps:
                    self._run(bench, undo, step)
        except (RuntimeError, ValueError) as problem:
            error = str(problem)
        finally:
            milliamps, self._results = self._results, []
        return {"device": device, "mA": milliamps, "trace": bench.trace, "error": error}
