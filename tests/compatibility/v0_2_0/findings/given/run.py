"""Run what was built: fetch a feed, clean it, print the digest.

    python run.py [FEED] [--artifacts .graphbus]

FEED is a file or a URL; without it, the sample feed beside this script. No model is near.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from pathlib import Path
from typing import Any

from graphbus_core.runtime import run_runtime

SAMPLE = Path(__file__).parent / "feeds" / "harbour_rss.xml"
STEPS = [("FetcherService", "fetch_headlines"), ("CleanerService", "clean"), ("FormatterService", "format_digest")]


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the news pipeline.")
    parser.add_argument("feed", nargs="?", default=str(SAMPLE))
    parser.add_argument("--artifacts", default=".graphbus")
    given = parser.parse_args()

    executor = run_runtime(given.artifacts)
    try:
        payload: dict[str, Any] = {"source": given.feed}
        for node, method in STEPS:
            payload = executor.call_method(node, method, **taken(executor.get_node(node), method, payload))
    except (TypeError, KeyError, ValueError, OSError) as e:
        print(f"{node}.{method} failed: {type(e).__name__}: {e}", file=sys.stderr)
        return 1
    finally:
        executor.stop()
    print(payload["digest"])
    return 0


def taken(node: Any, method: str, payload: dict[str, Any]) -> dict[str, Any]:
    """What the method takes of a payload: a consumer ignores what it does not declare."""
    parameters = inspect.signature(getattr(node, method)).parameters
    return {name: value for name, value in payload.items() if name in parameters}


if __name__ == "__main__":
    sys.exit(main())
