import settings
from feed import Feed
from trader import Trader

tick = Feed().latest("ABC")
if settings.CROSS_SPREAD:
    out = Trader().quote(symbol=tick["symbol"], price=tick["ask"])
else:
    out = Trader().quote(symbol=tick["symbol"], price=(tick["bid"] + tick["ask"]) / 2)
print(out["text"])
