from graphbus_core import GraphBusNode, subscribe

from press_log import chatty, log

SHEETS = {"A4": (210, 297), "A5": (148, 210), "SRA3": (320, 450)}


class ProofSheet(GraphBusNode):
    """Proofs a page; marks are drawn on it while the operator listens in."""

    @subscribe("/Page/Proof")
    def proof(self, page: str, ink: dict[str, int]) -> dict:
        total = sum(ink.values())
        sheet = {"page": page, "coverage": total, "ok": total <= 300}
        if chatty():
            sheet["marks"] = [f"{c[:1].upper()}{v}" for c, v in ink.items()]
        return sheet


class Imposition(GraphBusNode):
    """Which page stands where when a booklet is folded."""

    @subscribe("/Booklet/Impose")
    def impose(self, pages: int) -> list[list[int | None]]:
        full = -(-pages // 4) * 4
        log.debug("imposing %d pages on %d", pages, full)
        if full != pages:
            log.warning("%d blank pages", full - pages)
        numbers = [n if n <= pages else None for n in range(1, full + 1)]
        sides = []
        left, right = 0, full - 1
        while left < right:
            pair = [numbers[right], numbers[left]]
            sides.append(pair if left % 2 == 0 else pair[::-1])
            left, right = left + 1, right - 1
        return sides


class PaperCut(GraphBusNode):
    @subscribe("/Paper/Cut")
    def cut(self, sheet: str, piece: str) -> dict:
        (w, h), (pw, ph) = SHEETS[sheet], SHEETS[piece]
        upright, turned = (w // pw) * (h // ph), (w // ph) * (h // pw)
        log.info("%s from %s: %d or %d", piece, sheet, upright, turned)
        best = max(upright, turned)
        return {"pieces": best, "turned": turned > upright, "waste": round(1 - best * pw * ph / (w * h), 3)}
