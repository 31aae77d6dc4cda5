from lab.sampler import Sampler

print([Sampler().sample(name)["conc"] for name in ("abc", "x")])
