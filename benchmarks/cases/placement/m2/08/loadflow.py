import cmath

from graphbus_core import GraphBusNode, subscribe

from grid.scope import per_unit, study


class FeederFlow(GraphBusNode):
    """Backward/forward sweep on a radial feeder."""

    def __init__(self) -> None:
        super().__init__()
        self.voltages: list[complex] = []

    def _sweep(self, loads: list[complex], z: complex) -> float:
        currents = [(s / v).conjugate() for s, v in zip(loads, self.voltages)]
        change, v = 0.0, 1 + 0j
        for i in range(len(loads)):
            v -= z * sum(currents[i:])
            change = max(change, abs(v - self.voltages[i]))
            self.voltages[i] = v
        return change

    @subscribe("/Grid/Feeder/Solve")
    def solve(self, mva: float, p: list, q: list, r: float, x: float) -> dict[str, list]:
        with study(mva):
            loads = [complex(per_unit(a), per_unit(b)) for a, b in zip(p, q)]
        self.voltages[:] = [1 + 0j] * len(loads)
        for _ in range(40):
            if self._sweep(loads, complex(r, x)) < 1e-10:
                break
        polar = [cmath.polar(v) for v in self.voltages]
        return {"magnitude": [round(m, 6) for m, _ in polar], "angle": [round(a, 6) for _, a in polar]}
