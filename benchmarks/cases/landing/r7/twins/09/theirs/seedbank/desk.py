def hand_out(store, name, grams):
    left = store.grams(name) - grams
    if left < 0:
        raise ValueError(f"not enough {name}")
    store.save(name, left)
    return left


def swap(store, given, taken, grams):
    """A gardener brings one kind and takes as much of another."""
    store.save(given, store.grams(given) + grams)
    return hand_out(store, taken, grams)
