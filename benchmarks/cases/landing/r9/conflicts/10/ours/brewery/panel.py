def gauge(name, meter):
    return f"{name:<6}{meter.flow() * 60:6.1f} l/min"
