from postmark import Post, Stamp

letter = Post().sort(bag=1)
print(Stamp().cancel(origin=letter["sender"], date=letter["date"])["mark"])
