RULES = [
    ("amount > 100", "amount * 0.1"),
    ("amount > 50", "5"),
    ("True", "0"),
]
