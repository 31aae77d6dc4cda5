from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Commit:
    author: str
    committer: str
    sha: str


class Repo(GraphBusNode):
    @schema_method
    def head(self) -> Commit:
        return Commit(author="mia", committer="bot", sha="ab12")


class Keyring(GraphBusNode):
    keys = {"bot": "ab12"}

    @depends_on("Repo.head")
    @schema_method
    def verify(self, signer: str, sha: str) -> dict[str, bool]:
        return {"good": self.keys.get(signer) == sha}
