"""One table of build options: command line, server and `--resume` read the same one."""

from __future__ import annotations

import inspect
from dataclasses import fields
from pathlib import Path

import pytest

from graphbus_core.cli.build import command
from graphbus_core.config import FRONT_END_ROUNDS, BuildConfig, LLMConfig, Option, SafetyConfig, list_options
from graphbus_core.errors import UsageError
from graphbus_core.http.v1.models import BuildBody
from graphbus_core.services.build_command import KEYS, apply_settings, build_config, resolve_config
from graphbus_core.settings import KNOWN


def given(**more: object) -> dict[str, object]:
    """What the command gets where only a path is said, and `more`."""
    defaults = {name: one.default for name, one in inspect.signature(command.build).parameters.items()}
    return {**defaults, "path": "agents", **more}


def test_every_setting_is_in_the_table_once() -> None:
    """Of the three configs; a setting without an entry of its own is kept in the log and must not change."""
    own = {one.name for one in fields(BuildConfig)} - {"llm_config", "safety_config"}
    parts = {f"llm_config.{one.name}" for one in fields(LLMConfig)}
    parts |= {f"safety_config.{one.name}" for one in fields(SafetyConfig)}
    assert set(list_options()) == own | parts


def test_every_flag_of_the_table_is_an_option_of_the_command() -> None:
    """What a message tells people to give can be given."""
    from typer.main import get_command

    known = {name for param in get_command(command.app).params for name in param.opts}
    told = {one.flag.split()[0] for one in list_options().values() if one.flag.startswith("--")}
    assert told - known == set()


@pytest.mark.parametrize(
    ("option", "value", "flag"),
    [
        ("model", ["rules"], "--model"),
        ("goal", ["g"], "--goal"),
        ("approve", True, "--approve"),
        ("resume", True, "--resume"),
        ("estimate", True, "--estimate"),
    ],
)
def test_a_plain_build_has_no_use_for_an_option_of_a_negotiation(option: str, value: object, flag: str) -> None:
    """It is named as it was said."""
    with pytest.raises(UsageError, match=f"^{flag} is for a negotiation"):
        build_config(given(**{option: value}))


SETTINGS = """
[tool.graphbus]
exclude = ["old.*"]
model = ["rules", "Shop=scripted:a.yaml"]
verify = "pytest -x"
rounds = 7

[tool.graphbus.budget]
cost_usd = 1.5

[tool.graphbus.policy]
protect = ["shop/money.py"]
approve = true
allow_unproved = ["types", "imports"]
"""


def test_what_an_option_leaves_out_the_project_s_settings_say(tmp_path: Path) -> None:
    """Of a negotiation; an option goes before, and a variable goes before the file."""
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    made = build_config(apply_settings(given(path=str(tmp_path), enable_agents=True, verify="make test")))
    llm, safety = made.llm_config, made.safety_config
    assert (made.verify, made.exclude_modules, made.enable_human_in_loop) == ("make test", ["old.*"], True)
    assert (llm.model, llm.models, llm.max_cost_usd) == ("rules", {"Shop": "scripted:a.yaml"}, 1.5)
    assert (safety.max_negotiation_rounds, safety.protected_files) == (7, ["shop/money.py"])
    assert made.allow_unproved == ["types", "imports"]


def test_a_variable_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `graphbus config` says it."""
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    monkeypatch.setenv("GRAPHBUS_ROUNDS", "2")
    made = build_config(apply_settings(given(path=str(tmp_path), enable_agents=True)))
    assert made.safety_config.max_negotiation_rounds == 2


@pytest.mark.parametrize("more", [{}, {"enable_agents": True, "resume": True}])
def test_settings_of_a_negotiation_are_for_one_that_begins(tmp_path: Path, more: dict[str, object]) -> None:
    """A plain build has no use for them, and one that is gone on with has those with which it began."""
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    made = build_config(apply_settings(given(path=str(tmp_path), **more)))
    assert (made.verify, made.llm_config, made.exclude_modules) == (None, None, ["old.*"])


def test_every_setting_of_a_build_has_its_option() -> None:
    """What `graphbus config` lists of a negotiation is read by one."""
    own = {"model", "fallback_model", "verify", "rounds", *(k for k in KNOWN if k.startswith(("budget.", "policy.")))}
    assert own - {*KEYS.values()} == {"policy.rules"}  # of a run


def test_front_ends_take_the_same_number_of_rounds() -> None:
    """Where nothing is said; a resumed build takes those of the build that began."""
    made = build_config(given(enable_agents=True))
    assert made.safety_config.max_negotiation_rounds == FRONT_END_ROUNDS
    over_the_api = resolve_config("agents", ".graphbus", enable_agents=True, rounds=BuildBody().rounds)
    assert over_the_api.safety_config.max_negotiation_rounds == FRONT_END_ROUNDS
    resumed = build_config(given(enable_agents=True, resume=True))
    assert resumed.safety_config.max_negotiation_rounds == SafetyConfig().max_negotiation_rounds
    assert resumed.stated == frozenset()
    assert build_config(given(enable_agents=True, rounds=10)).stated == {"safety_config.max_negotiation_rounds"}


def test_what_one_option_is_another_is_not() -> None:
    """A setting that each run says anew is not kept, so it is neither free nor in the first fact."""
    for name, one in list_options().items():
        assert sum((one.of_this_run, one.is_free, one.in_fact)) <= 1, name
    assert list_options()["llm_config.api_key"] == Option(of_this_run=True)
