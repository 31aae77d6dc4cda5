def cold_keys(cache, wanted):
    return list(wanted)[cache.size():]
