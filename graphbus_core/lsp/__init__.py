"""The language server: what `workspace.edited` says of a project, in the words of the Language Server Protocol.

server   one editor: what is open, when to look again, which answer belongs to which question
words    findings, places and edits in the protocol's terms
"""

from graphbus_core.lsp.server import server

__all__ = ["server"]
