from sitegen.filters import fill

got = fill("/{{ t | slug }}/", {"t": "Fish & Chips"})
assert got == "/fish-chips/", got
