from pathlib import Path
from string import Template

from accounts import Accounts

text = Template(Path(__file__).with_name("letter.txt").read_text())
for customer in ("K-9", "K-10"):
    print(text.substitute(Accounts().overdue(customer)))
