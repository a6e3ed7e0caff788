"""What .github, .devcontainer and .dockerignore name exists here: commands, tools, ignored files. That the files of
.github/workflows have GitHub's form: check-jsonschema --builtin-schema vendor.github-workflows FILE."""

import json
import re

import pytest
import yaml
from tree import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def steps(path):
    for job in yaml.safe_load(path.read_text())["jobs"].values():
        yield from job["steps"]


def makefile_targets():
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))


def commands_of(script):
    """The simple commands of a shell script, as lists of words."""
    for command in re.split(r"[\n;|]|&&|'", script.replace("\\\n", " ")):
        yield command.split("#")[0].split()


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_exists(path):
    seen = 0
    for step in steps(path):
        assert ("run" in step) != ("uses" in step), step
        for words in commands_of(step.get("run", "")):
            if words[:1] == ["make"]:
                assert set(words[1:]) <= makefile_targets(), words
                seen += 1
            if words and words[0].startswith("tools/"):
                assert (ROOT / words[0]).exists(), words
    assert seen


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_failure_is_lost_in_a_pipe(path):
    for step in steps(path):
        script = step.get("run", "")
        if re.search(r"[^|]\|[^|]", script):
            assert step.get("shell") == "bash", script  # GitHub runs it with pipefail, its default sh without


def test_the_container_of_editors_starts_what_exists():
    settings = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    assert (ROOT / ".devcontainer" / settings["build"]["dockerfile"]).exists()
    assert (ROOT / settings["postAttachCommand"].split()[0]).exists()


def test_docker_packs_nothing_that_git_ignores_at_the_top():
    """`docker build` in a checkout of a teacher must not pack submissions and grades."""
    packed = (ROOT / ".dockerignore").read_text().split()
    for line in (ROOT / ".gitignore").read_text().split():
        name = line.strip("/")
        if line.startswith("/") and "/" not in name:
            assert name in packed, f"{line} is in .gitignore and not in .dockerignore"
