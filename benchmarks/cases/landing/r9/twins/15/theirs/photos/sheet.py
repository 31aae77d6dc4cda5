"""Contact sheets: one page with a frame for every photo."""
import shutil

from photos.workspace import Workspace


def frame(caption):
    return "+----+\n|    | %s\n+----+\n" % caption


def contact_sheet(ws, title, captions):
    """Lay out the sheet in the workspace; returns the path of the finished file."""
    frames = [ws.put("frame-%d.txt" % i, frame(c)) for i, c in enumerate(captions)]
    body = "".join(path.read_text(encoding="utf-8") for path in frames)
    return ws.put(title + ".txt", title.upper() + "\n" + body)


def publish(title, captions, folder):
    """Put the contact sheet in the folder of the web server."""
    with Workspace("sheet") as ws:
        return shutil.copy(contact_sheet(ws, title, captions), folder)
