from reader import read
from statement import Transaction, write

transactions = [
    Transaction("2024-05-01", "Baker", -350, "rolls"),
    Transaction("2024-05-04", "Employer", 250000, "May"),
]
back = read(write(transactions))
assert back == transactions, back
