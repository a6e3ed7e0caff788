"""What .github, .devcontainer, Dockerfile and .dockerignore name exists here: commands, tools, ignored files. That
the files of .github/workflows have GitHub's form: check-jsonschema --builtin-schema vendor.github-workflows FILE."""

import json
import re
import shutil
import subprocess

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


def words_of(instruction):
    """Of an instruction of Dockerfile in the form of a list."""
    return json.loads(re.search(rf"^{instruction} (\[.*\])$", (ROOT / "Dockerfile").read_text(), re.M)[1])


def test_the_image_makes_work_and_then_runs_any_command(tmp_path):
    """Binder starts Jupyter by a command of its own."""
    place, [entry] = "/opt/lanes/", words_of("ENTRYPOINT")
    assert entry.startswith(place) and (ROOT / words_of("CMD")[0]).exists()
    entry = entry.removeprefix(place)
    for name in (entry, "tools/common.bash", "notebooks/00_start.ipynb", "docs/glossary.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "tools/lessons", tmp_path / "tools/lessons", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    command = [tmp_path / entry, "sh", "-c", 'printf "%s|" "$@"; pwd; ls work; exit 3', "sh", "two words", ""]
    result = subprocess.run(command, cwd="/", capture_output=True, text=True)
    assert result.stdout == f"two words||{tmp_path}\n00_start.ipynb\nglossary.md\n", result.stderr
    assert result.returncode == 3
    shutil.rmtree(tmp_path / "work")
    (tmp_path / "work").touch()  # cannot be a folder
    assert subprocess.run([tmp_path / entry, "echo", "on"], capture_output=True, text=True).stdout == "on\n"


def test_docker_packs_nothing_that_git_ignores_at_the_top():
    """`docker build` in a checkout of a teacher must not pack submissions and grades."""
    packed = (ROOT / ".dockerignore").read_text().split()
    for line in (ROOT / ".gitignore").read_text().split():
        name = line.strip("/")
        if line.startswith("/") and "/" not in name:
            assert name in packed, f"{line} is in .gitignore and not in .dockerignore"
