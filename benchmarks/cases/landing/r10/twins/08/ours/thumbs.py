"""Small previews of uploaded pictures."""
from pathlib import Path

PREVIEW_BYTES = 16


def preview(data):
    """Stand-in for scaling: the first bytes of a picture."""
    return data[:PREVIEW_BYTES]


def build(settings):
    """Write previews of all pictures that have none yet; return their names."""
    root = Path(settings.get("upload_dir", "uploads"))
    target = root / "thumbs"
    made = []
    if not root.is_dir():
        return made
    target.mkdir(exist_ok=True)
    for picture in sorted(root.glob("*.jpg")):
        thumb = target / picture.name
        if not thumb.exists():
            thumb.write_bytes(preview(picture.read_bytes()))
            made.append(picture.name)
    return made
