"""`python -m graphbus_core.build --root PKG [--llm-model M]` (seed 002 §8.1): a build without the CLI.

A model given here seats it, as in the seed: this entry negotiates where `--llm-model` or `--enable-agents` is given.
"""

from __future__ import annotations

import argparse
import sys

from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.errors import GraphBusError, UsageError


def main(argv: list[str] | None = None) -> int:
    """Build, print what came of it, and return the exit code of design §12."""
    parser = argparse.ArgumentParser("python -m graphbus_core.build", description="Build a GraphBus project.")
    parser.add_argument("--root", required=True, help="dotted package or folder of the agents")
    parser.add_argument("--llm-model", "--model", dest="model", help="the model that speaks for the agents")
    parser.add_argument("--enable-agents", action="store_true", help="negotiate; without a model the rules do")
    parser.add_argument("--rounds", type=int, default=SafetyConfig().max_negotiation_rounds)
    parser.add_argument("--output-dir", default=".graphbus")
    parser.add_argument("--intent")
    given = parser.parse_args(argv)
    try:
        artifacts = build_project(
            BuildConfig(
                root_package=given.root,
                llm_config=LLMConfig(model=given.model) if given.model else None,
                enable_agents=given.enable_agents or given.model is not None,
                safety_config=SafetyConfig(max_negotiation_rounds=given.rounds),
                output_dir=given.output_dir,
                intent=given.intent,
            )
        )
    except GraphBusError as e:
        print(f"graphbus: {e}", file=sys.stderr)
        return 2 if isinstance(e, UsageError) else 1
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr)
        return 130
    print(f"Built {len(artifacts.agents)} agents into {artifacts.output_dir} ({artifacts.build_id}).")
    for path in artifacts.modified_files:
        print(f"Modified {path}")
    for mismatch in artifacts.linked.mismatches if artifacts.linked else ():
        print(f"Does not fit: {mismatch.link.id}: {'; '.join(mismatch.reasons)}")
    if artifacts.negotiation is None:
        return 0
    from graphbus_core.build.findings import findings  # only a build that negotiated has any

    for finding in findings(artifacts):
        print(f"Finding: {finding}.")
    return 1 if findings(artifacts) else 0


if __name__ == "__main__":
    sys.exit(main())
