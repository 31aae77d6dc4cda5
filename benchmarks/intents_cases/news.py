"""News: a feed is read, cleaned and printed. Three classes in three files, each fed by the one before."""

from benchmarks.intents_cases.case import Intent, Project

NEWS = Project(
    "news",
    {
        "agents/__init__.py": "",
        "agents/fetcher.py": '''"""Reading."""

from graphbus_core import GraphBusNode, schema_method

MARK = "- "


class Fetcher(GraphBusNode):
    """Reads the headlines of one feed."""

    SYSTEM_PROMPT = "I read feeds. I pass on what stands there and change nothing."

    @schema_method(input_schema={"name": str, "text": str}, output_schema={"headlines": list[str]})
    def fetch(self, name, text):
        headlines = [line.removeprefix(MARK) for line in text.splitlines() if line.startswith(MARK)]
        return {"headlines": headlines}
''',
        "agents/cleaner.py": '''"""Cleaning."""

from graphbus_core import GraphBusNode, depends_on, schema_method


class Cleaner(GraphBusNode):
    """Tidies headlines, and keeps their order."""

    SYSTEM_PROMPT = "I clean headlines. White space is noise, words are not."

    @depends_on("Fetcher.fetch")
    @schema_method(input_schema={"headlines": list[str]}, output_schema={"headlines": list[str]})
    def clean(self, headlines):
        kept = []
        for headline in headlines:
            plain = " ".join(headline.split())
            if plain:
                kept.append(plain)
        return {"headlines": kept}
''',
        "agents/formatter.py": '''"""Printing."""

from graphbus_core import GraphBusNode, depends_on, schema_method


class Formatter(GraphBusNode):
    """Prints a numbered page."""

    SYSTEM_PROMPT = "I print pages that people read."

    @depends_on("Cleaner.clean")
    @schema_method(input_schema={"headlines": list[str]}, output_schema={"page": str})
    def format(self, headlines):
        lines = [f"{number}. {headline}" for number, headline in enumerate(headlines, 1)]
        return {"page": "\\n".join(lines)}
''',
    },
    """
from agents.fetcher import Fetcher
from agents.cleaner import Cleaner
from agents.formatter import Formatter
read = Fetcher().fetch(name="World", text="- One\\n-  Two  here\\nno headline\\n-   \\n")
assert read["headlines"][:2] == ["One", " Two  here"], read
clean = Cleaner().clean(headlines=read["headlines"])
assert clean["headlines"] == ["One", "Two here"], clean
page = Formatter().format(headlines=["One", "Two here"])["page"]
assert page.startswith("1. One\\n2. Two here"), page
""",
)
ROAD = """
from agents.fetcher import Fetcher
from agents.cleaner import Cleaner
from agents.formatter import Formatter

def page(name, text):
    return Formatter().format(**Cleaner().clean(**Fetcher().fetch(name=name, text=text)))["page"]
"""

INTENTS = (
    Intent(
        "news-source",
        NEWS,
        "The page should end with a line 'Source: NAME' that names the feed from which the headlines came.",
        ROAD + "assert page('World', '- One\\n- Two\\n').splitlines() == ['1. One', '2. Two', 'Source: World']",
    ),
    Intent(
        "news-repeats",
        NEWS,
        "Drop a headline that repeats an earlier one. Upper and lower case make no difference.",
        ROAD + "got = page('W', '- One\\n- two\\n- ONE\\n- Two \\n- Three\\n').splitlines()[:3]\n"
        "assert got == ['1. One', '2. two', '3. Three'], got\nassert 'ONE' not in page('W', '- One\\n- ONE\\n')",
    ),
    Intent(
        "news-limit",
        NEWS,
        "The page shows ten headlines at most. Make the number a constant of the formatter's module, MAX_HEADLINES.",
        ROAD + "import agents.formatter as f\nassert f.MAX_HEADLINES == 10\n"
        "assert len(page('W', '- x\\n' * 3 + ''.join(f'- h{n}\\n' for n in range(20))).splitlines()) == 10\n"
        "f.MAX_HEADLINES = 2\nassert len(Formatter().format(headlines=['a', 'b', 'c'])['page'].splitlines()) == 2",
    ),
    Intent(
        "news-test",
        NEWS,
        "There should be a test, in tests/test_formatter.py, that a page without headlines is empty.",
        """
import pathlib, subprocess
assert pathlib.Path("tests/test_formatter.py").is_file()
run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_formatter.py"]
assert subprocess.run(run, timeout=50).returncode == 0
module = pathlib.Path("agents/formatter.py")
good = module.read_text()
module.write_text(good.replace('"\\\\n".join(lines)}', '"\\\\n".join(lines) or "nothing"}'))
assert module.read_text() != good
assert subprocess.run(run, timeout=50).returncode == 1, "the test passes on a formatter that prints something"
module.write_text(good)
""",
    ),
)
