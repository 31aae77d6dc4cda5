from site_ import Site

for name in ("home", "api/users"):
    print(Site().get(name))
