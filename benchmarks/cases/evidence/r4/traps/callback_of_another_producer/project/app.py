from media.renders import Renders
from media.thumbs import Thumbnailer
from media.uploads import Uploads

hooks = {}


def on(kind, then):
    hooks.setdefault(kind, []).append(then)


def fire(kind, record):
    return [then(record) for then in hooks.get(kind, [])]


thumbs = Thumbnailer()
on("render", lambda r: thumbs.render(name=r["name"], source=r["out"]))
on("upload", lambda r: {"thumb": "none for " + r["path"]})
print(fire("render", Renders().finish("a"))[0]["thumb"], fire("upload", Uploads().finish("a"))[0]["thumb"])
