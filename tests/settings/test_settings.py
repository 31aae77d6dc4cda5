"""`[tool.graphbus]`: who wins, where a value comes from, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.errors import ConfigError
from graphbus_core.settings import KNOWN, load_settings

HEAD = '[project]\nname = "x"\n\n[tool.graphbus]\n'


def project(folder: Path, text: str) -> Path:
    """A project with these settings."""
    (folder / "pyproject.toml").write_text(HEAD + text)
    return folder


def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    """Each value says where it comes from, with its line."""
    at = project(tmp_path, 'exclude = ["a"]\nverify = "pytest"\nrounds = 7\n\n[tool.graphbus.budget]\ncost-usd = 1.5\n')
    settings = load_settings(at, {"GRAPHBUS_VERIFY": "make test"}).merge_flags(
        {"rounds": 2, "exclude": None, "include": []}
    )
    told = {name: (settings[name], settings.find_source(name)) for name in KNOWN if settings.is_stated(name)}
    assert told == {
        "exclude": (("a",), "pyproject.toml:5"),
        "verify": ("make test", "GRAPHBUS_VERIFY"),
        "rounds": (2, "--rounds"),
        "budget.cost_usd": (1.5, "pyproject.toml:10"),
    }
    assert (settings["format"], settings.find_source("format")) == ("text", "default")


def test_the_file_above_a_folder_holds_and_a_repository_is_not_left(tmp_path: Path) -> None:
    """Also where the folder is not there yet, or is a dotted name."""
    project(tmp_path, 'format = "json"\n')
    inner = tmp_path / "src" / "agents"
    inner.mkdir(parents=True)
    assert load_settings(inner, {})["format"] == "json"
    assert load_settings(inner / "nothing" / "yet", {})["format"] == "json"
    (tmp_path / "src" / ".git").mkdir()
    assert load_settings(inner, {})["format"] == "text"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('modle = "x"\n', r"pyproject\.toml:5: there is no setting `modle`.*`model`"),
        ("[tool.graphbus.budget]\ncost_eur = 1\n", r":6: there is no setting `budget.cost_eur`.*`budget.cost_usd`"),
        ("tokens = 5\n", r"`tokens`.*`budget.tokens`"),
        ('rounds = "3"\n', r":5: `rounds` is '3'; it is a whole number"),
        ("rounds = 0\n", "whole number"),
        ("rounds = true\n", "whole number"),
        ("exclude = [1]\n", "list of texts"),
        ('format = "sarff"\n', "Did you mean 'sarif'"),
        ("budget = 3\n", "is a table"),
        ("exclude = [\n", "is not TOML"),
    ],
)
def test_a_wrong_setting_is_one_sentence_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    """And the nearest name."""
    with pytest.raises(ConfigError, match=said):
        load_settings(project(tmp_path, text), {})


def test_variables_are_read_as_their_kind(tmp_path: Path) -> None:
    """Lists by commas, yes and no in words; a wrong one names the variable."""
    given = {"GRAPHBUS_EXCLUDE": "a, b/*", "GRAPHBUS_POLICY_APPROVE": "yes", "GRAPHBUS_BUDGET_TOKENS": "9"}
    settings = load_settings(tmp_path, given)
    assert (settings["exclude"], settings["policy.approve"], settings["budget.tokens"]) == (("a", "b/*"), True, 9)
    for name, text in (("GRAPHBUS_ROUNDS", "many"), ("GRAPHBUS_POLICY_GIT", "perhaps")):
        with pytest.raises(ConfigError, match=name):
            load_settings(tmp_path, {name: text})


def test_a_file_without_the_table_sets_nothing(tmp_path: Path) -> None:
    """Also one of another tool that only mentions the word."""
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["graphbus-core"]\n')
    assert load_settings(tmp_path, {}).given == {}


def test_one_text_stands_for_a_list_of_one(tmp_path: Path) -> None:
    """As people write it."""
    assert load_settings(project(tmp_path, 'roots = "agents"\n'), {})["roots"] == ("agents",)


def test_the_rules_of_a_runtime_stand_beside_the_settings(tmp_path: Path) -> None:
    """`[[tool.graphbus.policy]]` is the runtime's; the settings leave it alone, and a table of that name is theirs."""
    at = project(tmp_path, 'format = "json"\n\n[[tool.graphbus.policy]]\nname = "shop"\nwho = "Shop*"\n')
    assert load_settings(at, {})["format"] == "json"
    at = project(tmp_path, "[tool.graphbus.policy]\napprove = true\n".replace("[tool", "\n[tool"))
    assert load_settings(at, {})["policy.approve"] is True
    with pytest.raises(ConfigError, match="is a table"):
        load_settings(project(tmp_path, 'policy = "shop"\n'), {})
