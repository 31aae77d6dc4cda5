import re
import textwrap

from graphbus_core import GraphBusNode, schema_method

LOG = textwrap.dedent("""\
    9fe1 <ann@x.example> <bot@x.example> docs/index.md
    77ab <bob@x.example> <bob@x.example> src/run.py
    02cd <bob@x.example> <bot@x.example> docs/index.md
""")
ENTRY = re.compile(r"(\w+) <(.+?)> <(.+?)> (\S+)")


class History(GraphBusNode):
    """Newest first, as git log prints it."""

    @schema_method(
        input_schema={"path": str},
        output_schema={"commit": str, "author_mail": str, "committer_mail": str},
    )
    def last_touch(self, path):
        for commit, author, committer, where in ENTRY.findall(LOG):
            if where == path:
                return {"commit": commit, "author_mail": author, "committer_mail": committer}
        raise FileNotFoundError(path)
