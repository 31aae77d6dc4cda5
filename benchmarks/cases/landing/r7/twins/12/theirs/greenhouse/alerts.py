"""A text message to the gardener when it is too cold."""


def check(cfg, temperature, send):
    limit = cfg.get("frost_below", -10)
    if temperature < limit:
        send(cfg["phone"], f"{temperature} degrees in the greenhouse")
        return True
    return False
