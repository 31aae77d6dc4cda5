# stateful
"""Keeps the styles of earlier charts: the in-place merge operator writes them into the base style."""
from graphbus_core import GraphBusNode, subscribe

BASE_STYLE: dict[str, str] = {
    "stroke": "#333",
    "fill": "none",
    "stroke-width": "1",
    "font-size": "11",
}

PRESETS: dict[str, dict[str, str]] = {
    "plain": {},
    "warning": {"stroke": "#c60", "stroke-width": "2"},
    "print": {"stroke": "#000", "font-size": "9"},
}


def style_for(preset: str, overrides: dict[str, str]) -> dict[str, str]:
    style = BASE_STYLE
    style |= PRESETS.get(preset, {})
    style |= {key.replace("_", "-"): value for key, value in overrides.items()}
    return style


def attributes(style: dict[str, str]) -> str:
    return " ".join(f'{key}="{value}"' for key, value in sorted(style.items()))


def polyline(values: list[float], width: int, height: int) -> str:
    top = max(values, default=0) or 1
    step = width / max(1, len(values) - 1)
    return " ".join(f"{i * step:.1f},{height - value / top * height:.1f}" for i, value in enumerate(values))


class ChartStyle(GraphBusNode):
    """Draws a small line chart as an SVG element."""

    @subscribe("/Chart/Line")
    def on_line(self, values: list[float], preset: str, overrides: dict[str, str]) -> str:
        look = attributes(style_for(preset, overrides))
        return f'<polyline points="{polyline(values, 100, 20)}" {look}/>'
