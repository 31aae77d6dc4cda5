def imperial(record):
    record["weight"] *= 2.2046
