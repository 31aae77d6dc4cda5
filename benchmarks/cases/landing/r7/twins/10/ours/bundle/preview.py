"""What the text files are called, for the curator's list."""
from pathlib import PurePosixPath


def preview(result, width=40):
    shown = {}
    for name in result.names:
        path = PurePosixPath(name)
        if path.suffix != ".txt":
            continue
        shown[name] = path.stem.replace("_", " ")[:width]
    return shown
