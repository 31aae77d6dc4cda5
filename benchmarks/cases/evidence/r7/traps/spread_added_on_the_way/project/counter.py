"""What the clerk at the counter runs."""
from exchange import Exchange
from fx import Fx

MARGIN = -0.015

if __name__ == "__main__":
    rate = Fx().quote("USD")["bid"]
    rate += MARGIN
    print(Exchange().convert(rate=rate))
