import bill

ROUTES = [("Pump.flow", "litres", "Bill.make", "volume")]


def call(path, **kwargs):
    cls, method = path.split(".")
    return getattr(getattr(bill, cls)(), method)(**kwargs)


def go():
    return [call(to, **{arg: call(source)[field]}) for source, field, to, arg in ROUTES]


if __name__ == "__main__":
    print(go())
