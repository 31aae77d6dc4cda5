import csv


def parcels(text):
    return [row["parcel"] for row in csv.DictReader(text.splitlines())]
