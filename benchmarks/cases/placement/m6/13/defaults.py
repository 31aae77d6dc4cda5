DEFAULTS = {
    "editor": {"font": "Mono", "size": 11, "wrap": True},
    "colours": {"text": "black", "paper": "white"},
    "language": "en",
}

SCHEMA = {
    "editor.font": str,
    "editor.size": int,
    "editor.wrap": bool,
    "colours.text": str,
    "colours.paper": str,
    "language": str,
}

RANGES = {"editor.size": (6, 48)}
