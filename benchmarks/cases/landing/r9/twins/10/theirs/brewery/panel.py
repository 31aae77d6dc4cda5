def gauge(name, meter):
    return f"{name:<6}{meter.flow():6.1f} l/min"
