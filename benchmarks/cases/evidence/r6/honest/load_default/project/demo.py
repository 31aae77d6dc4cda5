from fields import run_import

print(run_import([{"language": "da"}, {}], ["country", "language"]))
