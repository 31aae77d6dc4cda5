"""What was inferred, in a form that a project keeps: text for a person to read before it is written anywhere.

types           a shape -> the text of a type that our readers take
contracts_file  components and their contracts -> entries of `contracts.toml`
"""

from graphbus_core.adopt.written.contracts_file import contracts_file

__all__ = ["contracts_file"]
