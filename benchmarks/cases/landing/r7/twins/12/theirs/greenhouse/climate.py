def windows_open(cfg, temperature, raining):
    """How far to open the roof windows, in percent."""
    if temperature <= cfg["max_temp"]:
        return 0
    return 20 if raining else 100
