from bakery.recipe import Recipe
from bakery.scale import Scale

scale, recipe = Scale(), Recipe()
for load in (1.7, 5.2):
    reading = scale.weigh(load)
    print(load, recipe.scale_to(grams=reading["kg"] * 1000)["loaves"])
