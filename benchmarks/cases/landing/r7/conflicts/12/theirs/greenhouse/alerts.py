"""A text message to the gardener when it is too hot."""


def check(cfg, temperature, send):
    limit = cfg.get("max_temp", 60)
    if temperature > limit:
        send(cfg["phone"], f"{temperature} degrees in the greenhouse")
        return True
    return False
