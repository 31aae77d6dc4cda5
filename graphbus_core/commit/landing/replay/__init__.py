"""What new code of one side does on many inputs, on its own side and in the merged tree: run on both, and compared."""

from graphbus_core.commit.landing.replay.compare import Replay, Trees

__all__ = ["Replay", "Trees"]
