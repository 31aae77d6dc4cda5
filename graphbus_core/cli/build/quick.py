"""`graphbus build PATH` as it is mostly said, without the cost of a command-line library: a tenth of a rebuild.

Only a path, where the build goes, and `--json`. Whatever else is said, and whatever goes wrong, is left to the full
reader, which also says what is wrong.
"""

from __future__ import annotations


def quick(args: list[str]) -> int | None:
    """Build if it is said plainly. None: it is not, or it cannot be built; nothing was done."""
    rest, path, output, as_json = iter(args), "", None, False
    for arg in rest:
        if arg == "--json":
            as_json = True
        elif arg in ("-o", "--output-dir"):
            output = next(rest, "")
            if not output or output.startswith("-"):
                return None
        elif path or arg.startswith("-"):
            # Anything else is left to the full reader, which knows how to refuse it.
            return None
        else:
            path = arg
    if not path:
        return None
    from graphbus_core.cli.build.text import as_dict, as_text, findings_text
    from graphbus_core.errors import GraphBusError
    from graphbus_core.shown import shown
    from graphbus_core.workspace.does.building import build, findings
    from graphbus_core.workspace.does.options import asked

    try:
        artifacts = build(asked(path, output))
        found = findings(artifacts)
    except GraphBusError:
        # It failed, and nothing was written: the full road runs it again and tells why in its own form.
        return None
    if as_json:
        import json

        print(json.dumps({**as_dict(artifacts), "findings": found}, ensure_ascii=False))
    else:
        print(shown(as_text(artifacts, path)))
        if found:
            print(findings_text(found))
    return 1 if found else 0
