from gifts import Shop

shop = Shop()
print(shop.refund_as_gift("Bo", 40))
print(shop.refund_as_gift("Bo", 40))
print(shop.till.redeem("NONSENSE"))
