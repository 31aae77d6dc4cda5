"""The plain forms of the commands that agents call again and again, without the cost of a command-line library.

`graphbus negotiate poll DIR NAME` and its like are read here in no time. Whatever is not exactly of such a form (an
option in another spelling, a wrong count, `--help`) is left to the full reader, which also says what is wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

# command -> how many arguments, options with a value, options without
FORMS: dict[str, tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]] = {
    "init": ((1, 2, 3), (), ("--json",)),
    "register": ((2,), ("--participant", "--trust"), ("--json",)),
    "wait-for-start": ((2,), (), ("--json",)),
    "poll": ((2,), (), ("--json",)),
    "new-issue": ((2,), ("--as",), ("--json",)),
    "hand-off": ((2,), (), ("--json",)),
    "status": ((1,), (), ("--json",)),
    "finish": ((1,), (), ("--json",)),
    "verify": ((1,), (), ("--json",)),
    "position": ((3,), ("--text", "--file"), ("--json", "--challenge")),
    "agree": ((3,), ("--text", "--file"), ("--json",)),
    "escalate": ((3,), ("--text", "--file"), ("--json",)),
    "reopen": ((3,), (), ("--json",)),
    "wait-turn": ((2,), (), ("--json",)),
}


def quick(args: list[str]) -> int | None:
    """Run the command if it has a plain form. None: it has not, nothing was done."""
    if not args or args[0] not in FORMS:
        return None
    counts, valued, bare = FORMS[args[0]]
    plain: list[str] = []
    given: dict[str, str] = {}
    rest = iter(args[1:])
    for arg in rest:
        if arg in valued:
            value = next(rest, None)
            if value is None or arg in given:
                return None
            given[arg] = value
        elif arg in bare:
            given[arg] = ""
        elif arg.startswith("-"):
            return None
        else:
            plain.append(arg)
    if len(plain) not in counts or not all(plain):
        return None
    return _run(args[0], plain, given)


def _run(command: str, plain: list[str], given: dict[str, str]) -> int | None:
    from graphbus_core.cli.negotiate import commands
    from graphbus_core.cli.negotiate.ends import EXIT_INTERRUPTED

    directory, rest, as_json = Path(plain[0]), plain[1:], "--json" in given
    simple: dict[str, Callable[..., int]] = {
        "wait-for-start": commands.wait_for_start,
        "poll": commands.poll,
        "hand-off": commands.hand_off,
        "status": commands.status,
        "finish": commands.finish,
        "verify": commands.verify,
        "reopen": commands.reopen,
    }
    try:
        if command in simple:
            return simple[command](directory, *rest, as_json=as_json)
        match command:
            case "init":
                if not all(r.isascii() and r.replace(".", "", 1).isdecimal() for r in rest):
                    return None
                agents, window = (int(rest[0]) if rest else None), (float(rest[1]) if rest[1:] else None)
                settings = {"expected_agents": agents, "registration_window_s": window}
                return commands.init(directory, settings, as_json)
            case "register":
                who, trust = given.get("--participant", ""), given.get("--trust", "")
                return commands.register(directory, rest[0], as_json, who, None, trust)
            case "wait-turn":
                return commands.wait_turn(directory, rest[0], as_json=as_json)
            case "new-issue":
                return commands.new_issue(directory, rest[0], given.get("--as", ""), as_json)
        mark = {"position": "", "agree": "AGREED", "escalate": "ESCALATE"}[command]
        kind = "challenge" if "--challenge" in given else "position"
        text, file = given.get("--text"), given.get("--file", "")
        return commands.write(directory, rest[0], rest[1], text, file, kind, mark, as_json)
    except ValueError:
        return None
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
