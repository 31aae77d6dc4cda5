"""The language server: what `services.editor` says of a project, in the words of the Language Server Protocol.

server   one editor: what is open, when to look again, which answer belongs to which question
words    findings, places and edits in the protocol's terms
"""

from graphbus_core.lsp.server import create_server

__all__ = ["create_server"]
