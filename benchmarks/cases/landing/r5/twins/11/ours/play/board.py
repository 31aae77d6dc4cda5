def top(cache, games, n=3):
    """Names of the n best players."""
    def make():
        best = sorted(games, key=lambda g: -g["points"])
        return [g["player"] for g in best[:n]]
    return cache.get_or_make(f"top{n}", make)
