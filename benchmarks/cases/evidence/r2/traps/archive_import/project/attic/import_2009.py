from cardcat import rows  # the card catalogue

from archive import Intake, Stacks

for row in rows():
    r = Intake().register(row.title)
    Stacks().place(shelfmark=r["ref"])
