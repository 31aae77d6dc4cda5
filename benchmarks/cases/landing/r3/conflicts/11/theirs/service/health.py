"""Is everything up?  Used by the supervisor before it restarts something."""
import time


def budget(settings, probes):
    """Seconds that one probe may take so that all of them fit into the timeout."""
    whole = settings.get("timeout", 30)
    return max(0.1, whole / max(1, probes))


def check(settings, probes, clock=time.monotonic):
    """probes: {name: callable(seconds)}; return {name: ok | slow | error text}."""
    allowed = budget(settings, len(probes))
    result = {}
    for name, probe in probes.items():
        started = clock()
        try:
            probe(allowed)
        except OSError as failure:
            result[name] = str(failure)
            continue
        result[name] = "ok" if clock() - started <= allowed else "slow"
    return result


def headline(settings, result):
    bad = sorted(name for name, state in result.items() if state != "ok")
    return f"{settings['name']}: " + (", ".join(bad) if bad else "all up")
