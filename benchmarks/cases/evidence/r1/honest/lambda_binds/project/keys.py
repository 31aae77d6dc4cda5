from till_app import Scanner, Shelf

KEYS = {"F1": lambda scanner, shelf: shelf.lookup(code=scanner.scan()["barcode"])}

if __name__ == "__main__":
    print(KEYS["F1"](Scanner(), Shelf())["article"])
