from photos.workspace import Workspace


def word_count(captions):
    """Count by way of files, as the real counter only reads files."""
    with Workspace("count") as ws:
        paths = [ws.put("%d.txt" % i, text) for i, text in enumerate(captions)]
        return sum(len(path.read_text(encoding="utf-8").split()) for path in paths)
