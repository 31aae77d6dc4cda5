from functools import lru_cache

RECIPES = {
    "carbonara": "pasta:120 egg:60 guanciale:50 pecorino:30",
    "margherita": "dough:250 tomato:80 mozzarella:100",
    "tiramisu": "egg:40 mascarpone:90 biscuit:40 coffee:30",
    "insalata": "lettuce:80 tomato:60 walnut:15",
    "pesto": "pasta:120 basil:20 pecorino:20 pinenut:15",
}
ALLERGENS = {"egg": "egg", "pasta": "gluten", "dough": "gluten", "biscuit": "gluten", "pecorino": "milk",
             "mozzarella": "milk", "mascarpone": "milk", "walnut": "nuts", "pinenut": "nuts"}


@lru_cache(maxsize=None)
def recipe(dish: str) -> dict[str, int]:
    return {k: int(v) for k, v in (part.split(":") for part in RECIPES[dish].split())}


@lru_cache(maxsize=None)
def allergens(dish: str) -> frozenset[str]:
    words = (part.partition(":")[0] for part in RECIPES[dish].split())
    return frozenset(ALLERGENS[w] for w in words if w in ALLERGENS)
