from dataclasses import dataclass, field


@dataclass
class Recipe:
    name: str
    needs: dict[str, str]
    steps: list[str] = field(default_factory=list)

    def key(self) -> str:
        return self.name.lower().replace(" ", "-")


_ALL = [
    Recipe("Flat Bread", {"flour": "2 cup", "salt": "1 spoon"}, ["knead", "rest", "bake"]),
    Recipe("Pancakes", {"flour": "1 cup", "milk": "3/2 cup"}, ["stir", "fry"]),
    Recipe("Pea Soup", {"peas": "1/2 kg", "salt": "1/2 spoon"}, ["soak", "boil", "mash"]),
]
_BY_KEY = {recipe.key(): recipe for recipe in _ALL}

WISHES = {"crisp": ["grill"], "warm": ["cover", "serve hot"], "party": ["decorate"]}


def find(name: str) -> Recipe | None:
    return _BY_KEY.get(name.lower().replace(" ", "-"))
