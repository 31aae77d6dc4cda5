"""What stands in `deploy/` can be used as it is: its commands exist, its names fit, and its readers take it."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

from graphbus_core.cli.run.command import app as run_app
from graphbus_core.cli.serve import app as serve_app

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
UNIT = (DEPLOY / "graphbus.service").read_text("utf-8")


def graphbus(command):
    """The arguments of each `graphbus …` in a command line, of which a shell may be a part."""
    words = shlex.split(command.replace("$$", "$"))
    if words[:2] == ["sh", "-c"]:
        words = shlex.split(words[2])
    at = next((i for i, word in enumerate(words) if word.endswith("/graphbus")), None)
    return None if at is None else words[at + 1 :]


def commands():
    for name, service in COMPOSE["services"].items():
        if isinstance(command := service.get("command"), str) and (found := graphbus(command)) is not None:
            yield name, found
    yield "systemd", graphbus(re.search(r"^ExecStart=(.*)$", UNIT, re.M)[1])


@pytest.mark.parametrize(("name", "words"), list(commands()))
def test_every_command_parses(name, words):
    """Each option is one of the command's own, and has a value where it wants one."""
    command = get_command({"run": run_app, "serve": serve_app}[words[0]])
    parameters = command.make_context(words[0], words[1:]).params
    if words[0] == "run":
        assert parameters["bus"]
        assert parameters["wait"] or parameters["workers"] > 1


def test_the_compose_file_names_what_it_has():
    """Three workers, each after the server; every volume is declared; Prometheus asks the port that workers open."""
    services = COMPOSE["services"]
    assert {"nats", "worker", "api", "prometheus"} <= services.keys()
    assert services["worker"]["deploy"]["replicas"] == 3
    assert set(services["worker"]["depends_on"]) <= services.keys()
    named = {one.split(":")[0] for service in services.values() for one in service.get("volumes", ())}
    assert {one for one in named if not one.startswith(".")} <= COMPOSE["volumes"].keys()
    for path in (one for one in named if one.startswith("./")):
        assert (DEPLOY / path).is_file()
    metrics = dict(commands())["worker"]
    port = int(metrics[metrics.index("--metrics") + 1].rpartition(":")[2])
    (job,) = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text("utf-8"))["scrape_configs"]
    assert job["dns_sd_configs"] == [{"names": ["worker"], "type": "A", "port": port}]
    assert "-js" in services["nats"]["command"]


def test_docker_reads_the_compose_file():
    """Where docker and its compose are there."""
    if shutil.which("docker") is None:
        pytest.skip("docker is not installed")
    if subprocess.run(["docker", "compose", "version"], capture_output=True, timeout=60, check=False).returncode:
        pytest.skip("docker has no compose here")
    command = ["docker", "compose", "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env={"GRAPHBUS_TOKEN": "x"})
    assert done.returncode == 0, done.stderr


def test_systemd_takes_the_unit(tmp_path):
    """Where systemd-analyze is there; user and program are those of the machine that has them."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "graphbus.service"
    text = re.sub(r"^User=.*$", "User=root", UNIT, flags=re.M)
    unit.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.M))
    done = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert str(unit) not in done.stderr, done.stderr
