from phone import Phone
from stock import Stock
from web import Web

SOURCES = {"phone": lambda: Stock().take(**Phone().call()), "web": lambda: Stock().take(**Web().order())}

if __name__ == "__main__":
    print(SOURCES["phone"]()["taken"])
