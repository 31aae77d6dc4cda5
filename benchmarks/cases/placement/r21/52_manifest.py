# stateful
"""Keeps the lines of a rejected manifest, since the early return skips the clearing."""
from graphbus_core import GraphBusNode, subscribe


class ManifestError(Exception):
    pass


class BaseManifest:
    header = "MAN"

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, barcode: str, grams: int) -> None:
        if grams <= 0:
            raise ManifestError(f"{barcode}: no weight")
        self.lines.append(f"{barcode}/{grams}")

    def finish(self) -> str:
        text = f"{self.header}:{len(self.lines)}:" + ";".join(self.lines)
        self.lines.clear()
        return text


class VanManifest(BaseManifest):
    header = "VAN"
    limit = 31_500

    def add(self, barcode: str, grams: int) -> None:
        if grams > self.limit:
            raise ManifestError(f"{barcode}: too heavy for a van")
        super().add(barcode, grams)


class ManifestWriter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.manifest = VanManifest()

    @subscribe("/Tour/Loaded")
    def on_loaded(self, tour: str, barcodes: list[str], grams: list[int]) -> dict[str, str]:
        try:
            for barcode, weight in zip(barcodes, grams):
                self.manifest.add(barcode, weight)
        except ManifestError as err:
            return {"tour": tour, "error": str(err)}
        return {"tour": tour, "manifest": self.manifest.finish()}
