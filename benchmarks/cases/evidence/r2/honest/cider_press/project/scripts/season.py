import sys

sys.path.insert(0, ".")

from cider.barrel import Barrel  # noqa: E402
from cider.press import Press  # noqa: E402

must, pomace = Press().squeeze(300).values()
print(Barrel().fill(juice=must)["bottles"], "bottles,", pomace, "kg for the pigs")
