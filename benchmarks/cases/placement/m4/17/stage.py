from graphbus_core import GraphBusNode, subscribe

from hall import performance

CUES = {
    "matinee": {"lights": 40, "music": "soft"},
    "evening": {"lights": 80, "music": "full"},
    "gala": {"lights": 100, "music": "orchestra"},
}


class StageManager(GraphBusNode):
    @subscribe("/theatre/tonight")
    def tonight(self, name: str) -> str:
        if name not in CUES:
            return "unknown performance"
        performance.set(name)
        return "places, please"


class LightDesk(GraphBusNode):
    @subscribe("/theatre/cue")
    def cue(self, percent: int) -> int:
        return CUES[performance.get()]["lights"] * percent // 100


class Programme(GraphBusNode):
    @subscribe("/theatre/programme")
    def programme(self, name: str, acts: list[str]) -> str:
        token = performance.set(name if name in CUES else "matinee")
        try:
            return self._text(acts)
        finally:
            performance.reset(token)

    def _text(self, acts):
        music = CUES[performance.get()]["music"]
        lines = [f"Act {n}: {a}" for n, a in enumerate(acts, 1)]
        return "; ".join(lines + [f"music: {music}"])
