def cold_keys(cache, wanted):
    return [k for k in wanted if not cache.get(k)]
