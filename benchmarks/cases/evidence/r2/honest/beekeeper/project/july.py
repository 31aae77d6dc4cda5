from bees import Extractor, Hive

hives = (Hive().open(n) for n in range(1, 4))
jars = [Extractor().spin(combs=h["frames"])["jars"] for h in hives]
print(sum(jars))
