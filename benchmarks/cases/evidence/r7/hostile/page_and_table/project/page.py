from pathlib import Path
from string import Template

from tide import Tide

page = Template(Path(__file__).with_name("page.html").read_text())
print(page.substitute(Tide().now()), end="")
