"""A project while somebody edits it: texts of an editor count in place of files. What a language server asks.

live     the project as it stands now: findings, methods, links; an edit costs a look at what it touches
pointed  what is under a cursor: a method or a field, its contract, who feeds it and whom it feeds
fixes    what the rule negotiators propose for a finding, as edits that were tried in memory first
"""

from graphbus_core.workspace.edited.fixes import Fix, fixes
from graphbus_core.workspace.edited.live import Live, Now
from graphbus_core.workspace.edited.pointed import Pointed, pointed

__all__ = ["Fix", "Live", "Now", "Pointed", "fixes", "pointed"]
