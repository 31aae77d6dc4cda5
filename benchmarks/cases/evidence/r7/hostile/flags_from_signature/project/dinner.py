from oven import Oven
from recipe import Recipe

recipe = Recipe().scale(4)
print(Oven().bake(portions=recipe.servings, hot=1)["minutes"])
