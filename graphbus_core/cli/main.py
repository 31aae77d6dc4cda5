"""The command `graphbus`: a table of commands, each in a module that is imported only when it runs.

`graphbus --help` must stay under 150 ms, so this file imports no command, no rich and no typer command tree.
"""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # as type checkers know it; `typing` itself would cost the help a tenth of its time
if TYPE_CHECKING:
    from typing import Any

# name -> (module with `app: typer.Typer`, one line of help). The order is that of the help.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("graphbus_core.cli.demo", "See the whole of GraphBus on a small pipeline, with no key and no service."),
    "infer": (
        "graphbus_core.cli.infer",
        "Read any Python project: who gives what to whom, what cannot fit.",
    ),
    "validate": (
        "graphbus_core.cli.validate",
        "Check every contract link; print a payload for each that does not fit.",
    ),
    "build": (
        "graphbus_core.cli.build.command",
        "Scan, link and freeze a project; with --enable-agents negotiate first.",
    ),
    "init": ("graphbus_core.cli.init", "Propose the settings of a project; write them on request."),
    "watch": ("graphbus_core.cli.watch", "Validate whenever a file is saved; build and run nothing."),
    "doctor": ("graphbus_core.cli.doctor", "Say what works on this machine, and what mends the rest."),
    "baseline": ("graphbus_core.cli.baseline", "Keep today's findings in a file, so that only new ones count."),
    "explain": ("graphbus_core.cli.explain", "Say what a finding means, and what to do."),
    "config": ("graphbus_core.cli.config", "Print the settings that hold, and where each comes from."),
    "run": ("graphbus_core.cli.run.command", "Run what was built: call methods, publish events, watch."),
    "inspect": ("graphbus_core.cli.inspect", "Show agents, contracts, links and topics of a project or a build."),
    "inspect-negotiation": ("graphbus_core.cli.inspect_negotiation", "Browse the last negotiation."),
    "export": ("graphbus_core.cli.export", "Write a build as AsyncAPI, OpenAPI, Mermaid or DOT."),
    "why": ("graphbus_core.cli.why", "Say which proposals made a method or a field what it is."),
    "undo": ("graphbus_core.cli.undo", "Take back a committed proposal, through the same gates."),
    "land": ("graphbus_core.cli.land", "Land finished branches: merged by structure, proved, or left alone."),
    "team": ("graphbus_core.cli.team", "A team of coding agents plans together: seats, plans, overlaps, landings."),
    "log": ("graphbus_core.cli.log", "Verify, export or replay a negotiation's log."),
    "contracts": ("graphbus_core.cli.contracts", "Check one contract against another; list what a change breaks."),
    "consent": ("graphbus_core.cli.consent", "Bring several priorities to a decision that nobody objects to."),
    "negotiate": ("graphbus_core.cli.negotiate.command", "Bring several documents to one, in turns, over a directory."),
    "replay": ("graphbus_core.cli.replay", "Play a runtime journal back."),
    "serve": ("graphbus_core.cli.serve", "Serve the API and the page."),
    "agree": ("graphbus_core.cli.agree", "Settle the contract between two components, before there is code."),
    "lsp": ("graphbus_core.cli.lsp", "A language server: findings, contracts and fixes in the editor."),
    "mcp": ("graphbus_core.cli.mcp", "Let a coding agent take part in negotiations, over MCP."),
    "skill": ("graphbus_core.cli.skill", "Install the skill folder that coding agents read."),
}

# name -> a module whose `quick(args)` runs the plain cases without typer (60 ms and more), or gives None.
QUICK = {"negotiate": "graphbus_core.cli.negotiate.operations", "build": "graphbus_core.cli.build.plain"}

# package -> the extra that brings it
EXTRAS = {
    "mcp": "mcp",
    "lsprotocol": "lsp",
    "pygls": "lsp",
    "uvicorn": "server",
    "h11": "server",
    "fastapi": "server",
    "httpx": "server",
    "websockets": "server",
    "starlette": "server",
    "textual": "tui",
    "pydantic_ai": "llm",
    "genai_prices": "llm",
    "nats": "nats",
    "networkx": "graph",
    "numpy": "consent-exact",
    "highspy": "consent-exact",
    "opentelemetry": "otel",
}

EXIT_DONE, EXIT_FINDING, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
_built: dict[Any, Any] = {}  # an app -> its command


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code (design §12)."""
    args = list(sys.argv[1:] if argv is None else argv)
    if not args or args[0] in ("-h", "--help"):
        print(_render_help(), flush=True)
        return EXIT_DONE if args else EXIT_USAGE
    if args[0] == "--version":
        from graphbus_core import __version__

        print(f"graphbus {__version__}")
        return EXIT_DONE
    if args[0] not in COMMANDS:
        from graphbus_core.suggestions import suggest_names

        near = suggest_names(args[0], COMMANDS, sure=True)
        hint = f" Did you mean `graphbus {near[0]}`?" if near else ""
        return _fail(f"There is no command {args[0]!r}.{hint} `graphbus --help` lists them all.")
    return _run_command(args[0], args[1:])


def _run_command(name: str, args: list[str]) -> int:
    as_json = "--json" in (args[: args.index("--")] if "--" in args else args)
    if name in QUICK and (code := _run_quick(name, args, as_json)) is not None:
        return code
    module = import_module(COMMANDS[name][0])
    usage: int = getattr(module, "EXIT_USAGE", EXIT_USAGE)  # `negotiate`: 64, because there 2 means "done"
    try:
        return _invoke(module.app, name, args, usage, as_json)
    except Exception as e:
        code = _report_error(e, name, usage, as_json)
        if code is None:
            raise
        return code


def _run_quick(name: str, args: list[str], as_json: bool) -> int | None:
    """The command as it is mostly said, without a command-line library. None: it is not said so; nothing was done."""
    from graphbus_core.gc_control import pause_garbage_collection

    try:
        with pause_garbage_collection():  # what it loads and reads it keeps to its end
            code = import_module(QUICK[name]).quick(args)
    except KeyboardInterrupt as e:
        return _report_interrupt(str(e), as_json)
    except BrokenPipeError:
        sys.stderr.close()
        return EXIT_DONE
    return None if code is None else int(code)


def _invoke(app: Any, name: str, args: list[str], usage: int, as_json: bool) -> int:
    """Run a command of Typer's, and make a code of what Typer raises. Everything else is left to `_report_error`."""
    from typer import Abort, BadParameter, Exit

    # Typer carries its own copy of click in some editions and uses the installed one in others.
    bad_usage: type[Exception] = next(c for c in BadParameter.__mro__ if c.__name__ == "ClickException")
    command = _build_command(app)
    invoke = command.invoke

    def invoke_interruptible(context: Any) -> Any:
        try:
            return invoke(context)
        except KeyboardInterrupt as e:  # typer makes a code of it, and says nothing
            raise Exit(_report_interrupt(str(e), as_json)) from None

    command.invoke = invoke_interruptible
    try:
        result = command.main(args=args, prog_name=f"graphbus {name}", standalone_mode=False)
        return int(result) if isinstance(result, int) else EXIT_DONE  # typer hands an `Exit` on as its code
    except Exit as e:
        return int(e.exit_code)
    except bad_usage as e:
        if as_json:
            return _fail(e.format_message(), usage, as_json)  # type: ignore[attr-defined]
        e.show()  # type: ignore[attr-defined]
        return usage
    except (KeyboardInterrupt, Abort):
        return _report_interrupt("", as_json)


def _build_command(app: Any) -> Any:
    """What Typer makes of the functions of a command. Kept: whoever runs ten in one process has them read once."""
    from copy import copy

    if app not in _built:
        from typer.main import get_command

        from graphbus_core.cli.options import simplify_params

        _built[app] = simplify_params(get_command(app))
    return copy(_built[app])


def _report_error(e: Exception, name: str, usage: int, as_json: bool) -> int | None:
    """Say what went wrong, and give its exit code. None: it is a fault of ours, and its traceback is what helps."""
    from graphbus_core.errors import GraphBusError, Locked, UsageError

    match e:
        case UsageError():
            return _fail(str(e), usage, as_json)
        case Locked():  # refused; `negotiate` has its own code for that
            return _fail(str(e), EXIT_USAGE if usage == EXIT_USAGE else EXIT_FINDING, as_json)
        case GraphBusError():
            return _fail(str(e), EXIT_FINDING, as_json)
        case BrokenPipeError():
            sys.stderr.close()
            return EXIT_DONE
        case ModuleNotFoundError() if (package := (e.name or "").partition(".")[0]) in EXTRAS:
            install = f"pip install 'graphbus-core[{EXTRAS[package]}]'"
            return _fail(f"`graphbus {name}` needs {package}, which is not installed: {install}", as_json=as_json)
        case FileNotFoundError() if not e.filename:  # what asks where we are gets no name back
            return _fail("The folder that you are in is gone. Go to another one, and run again.", as_json=as_json)
        case OSError():
            what = f"{e.strerror or e}{f': {e.filename}' if e.filename else ''}"
            return _fail(f"{what}. Nothing was lost; mend that, and run again.", as_json=as_json)
    return None


def _fail(message: str, code: int = EXIT_USAGE, as_json: bool = False) -> int:
    """Say what is wrong, on stderr; with --json as one object on stdout too, so that a program always gets one."""
    from graphbus_core.text import escape_text

    print(f"graphbus: {escape_text(message)}", file=sys.stderr)
    if as_json:
        _print_json(message, code)
    return code


def _print_json(message: str, code: int) -> None:
    import json

    print(json.dumps({"error": message, "code": code}, ensure_ascii=False))


def _report_interrupt(message: str, as_json: bool) -> int:
    """130, with what the command has to say of it."""
    print(f"\n{message or 'Interrupted.'}", file=sys.stderr)
    if as_json:
        _print_json(message or "Interrupted.", EXIT_INTERRUPTED)
    return EXIT_INTERRUPTED


def _render_help() -> str:
    width = max(map(len, COMMANDS))
    lines = "\n".join(f"  {name:<{width}}  {text}" for name, (_, text) in COMMANDS.items())
    return (
        "Usage: graphbus COMMAND [ARGS]…\n\n"
        "Components negotiate the contracts between them; every agreement is proved before it becomes code.\n\n"
        f"{lines}\n\n"
        "`graphbus COMMAND --help` says more. Exit codes: 0 done, 1 a finding, 2 bad usage or input, 3 unknown,\n"
        "130 interrupted."
    )


def entry() -> None:
    """The console script."""
    import atexit

    code = EXIT_DONE

    def finish() -> None:
        if code == EXIT_INTERRUPTED:
            _exit_now(code)
        elif "signal" in sys.modules:  # else nothing was done whose end takes time
            import signal

            signal.signal(signal.SIGINT, signal.SIG_IGN)

    # Registered first, so called last, after the threads and the clean-up of others. A Ctrl-C while the interpreter
    # goes on to take itself apart, or one that it remembers as unhandled, would make a death by signal of the code.
    atexit.register(finish)
    try:
        code = main()
    except (KeyboardInterrupt, RuntimeError) as e:  # while a command was being imported
        # Python 3.11 makes a RuntimeError of a Ctrl-C in the middle of a class.
        if isinstance(e, RuntimeError) and not isinstance(e.__cause__, KeyboardInterrupt):
            raise
        code = _report_interrupt("", False)
    except OSError as e:  # `graphbus --help | head -1`, or to a full disk
        code = _report_error(e, "", EXIT_USAGE, False) or EXIT_DONE
    if code == EXIT_INTERRUPTED or "signal" in sys.modules:  # without it there is nothing that takes time to end
        import signal

        # One more, or one that comes too late, while threads are waited for: what is done is done, and was said.
        signal.signal(signal.SIGINT, lambda *_: _exit_now(code))
    if sys.argv[1:2] and sys.argv[1] in QUICK:  # these run no code of a user's, whose objects may have a last word
        import gc

        # The interpreter collects once more before it ends. That walks every module for nothing: a tenth of a build.
        gc.freeze()
    sys.exit(code)


def _exit_now(code: int) -> None:
    import os

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, RuntimeError):
        pass  # a closed pipe, or a write that this one interrupted
    finally:
        os._exit(code)


if __name__ == "__main__":
    entry()
