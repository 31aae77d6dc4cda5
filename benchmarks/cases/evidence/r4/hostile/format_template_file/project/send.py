from pathlib import Path

from crew import Crew
from ticket import Ticket

made = Ticket().open("leak")
print(Path("mail.txt").read_text().format(**made))
print(Crew().assign(title=made["title"], owner=made["reporter"])["text"])
