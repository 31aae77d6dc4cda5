"""Two components settle the interface between them before code exists: two seats, one contract, no source.

rules      the negotiation, pure: who tabled which side, what the engine says, who accepted which pair
directory  the same in a folder that both reach, with its log, and the contract file that comes out of it
"""

from graphbus_core.agree.directory import Agreed, InterfaceDirectory

__all__ = ["Agreed", "InterfaceDirectory"]
