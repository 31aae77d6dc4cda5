def games_at(cache, games, level):
    """How many games were played at a level."""
    def make():
        table = {}
        for game in games:
            level = game["level"]
            table[level] = table.get(level, 0) + 1
        return table
    return cache.get_or_make("levels", make).get(level, 0)
