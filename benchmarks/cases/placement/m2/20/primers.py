from graphbus_core import GraphBusNode, subscribe

from seq import melting, reverse_complement


def windows(sequence: str, sizes: range):
    for size in sizes:
        for at in range(len(sequence) - size + 1):
            yield at, sequence[at:at + size]


class PrimerDesign(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.sizes = range(10, 16)

    @subscribe("/Genome/Primer/Wanted")
    def design(self, template: str, target: float) -> dict[str, object]:
        half = len(template) // 2
        sides = {"forward": template[:half], "reverse": reverse_complement(template[half:])}
        picks = {}
        for side, bases in sides.items():
            usable = ((at, p) for at, p in windows(bases, self.sizes) if p[-1] in "GC" and p * 2 != p[::-1] * 2)
            picks[side] = min(((abs(melting(p) - target), at, p) for at, p in usable), default=(0.0, -1, ""))
        return {side: {"at": at, "primer": p, "off": round(d, 1)} for side, (d, at, p) in picks.items()}
