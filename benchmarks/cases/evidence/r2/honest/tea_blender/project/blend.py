from tea import Blender, Garden

grams = [50, 30, 20]
plucked = [Garden().pluck(h) for h in range(3)]
for g, p in zip(grams, plucked, strict=True):
    print(g, Blender().mix(sort=p["leaf"])["tin"])
