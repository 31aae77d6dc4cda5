from booth import Booth
from freight import Freight

if __name__ == "__main__":
    weighed = Booth().weigh()
    print(Freight().price(weighed["kilos"])["price"])
