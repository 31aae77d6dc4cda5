"""First lines of the text files, for the curator's list."""


def preview(result, width=40):
    shown = {}
    for name in result.names:
        path = result.workdir / name
        if path.suffix != ".txt" or not path.exists():
            continue
        with path.open(encoding="utf-8", errors="replace") as f:
            shown[name] = f.readline().rstrip()[:width]
    return shown
