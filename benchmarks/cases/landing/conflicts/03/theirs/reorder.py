from bus import on

orders = []


@on('stock.low')
def reorder(event):
    orders.append((event['sku'], 50))
