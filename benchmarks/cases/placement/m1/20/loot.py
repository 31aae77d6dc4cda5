from hashlib import sha256

DROPS = [("common", 70), ("rare", 25), ("epic", 5)]
PRICES = {"common": 2, "rare": 30, "epic": 400}
BAG = {"capacity": 8, "slots": []}


def roll(seed):
    n = int(sha256(seed.encode()).hexdigest(), 16) % 100
    for name, share in DROPS:
        if n < share:
            return name
        n -= share


def stash(item, bag=None):
    bag = bag or BAG
    bag["slots"].append(item)
    return bag


def worth(items):
    return sum(PRICES[i] for i in items)
