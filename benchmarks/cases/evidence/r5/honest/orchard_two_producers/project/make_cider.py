import sys

from cider.press import Press
from cider.sources import Orchard, Pantry


def main(trees=2):
    picked, fetched = Orchard().pick(trees), Pantry().fetch("dry")
    kg = picked["apples_kg"]
    made = Press().run(kg, fetched["days"])
    print(f"{made['litres']:.0f} l in {made['ready']} days")


if __name__ == "__main__":
    sys.exit(main())
