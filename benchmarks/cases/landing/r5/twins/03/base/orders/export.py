from orders.load import read_orders


def lines(path):
    return [f"{r['customer']};{r['amount']}" for r in read_orders(path)]
