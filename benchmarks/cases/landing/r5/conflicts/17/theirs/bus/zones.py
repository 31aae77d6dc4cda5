def zones_of_trip(stops):
    """Count the zones that a ticket must cover; a stop passed again costs nothing."""
    seen = set()
    zones = []
    for stop in stops:
        before = len(seen)
        seen.add(stop)
        if len(seen) == before:
            continue
        if not zones or zones[-1] != stop.zone:
            zones.append(stop.zone)
    return len(zones)
