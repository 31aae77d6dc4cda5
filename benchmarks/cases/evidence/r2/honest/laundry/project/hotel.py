from laundry import Basket, Washer

NAMES = {"hot_load": "whites", "wool": "wool"}

sorted_ = Basket().sort(room=12)
load = {mine: sorted_[theirs] for mine, theirs in NAMES.items()}
print(Washer().start(**load)["minutes"])
