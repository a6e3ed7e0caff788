"""tools/setup if it fails, if a package is missing and the user may not install it, and after an upgrade of
Debian; the list of make targets."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from tree import ROOT


@pytest.fixture
def checkout_of_nobody():
    """A copy of tools/ on a machine where dpkg-query knows only the package git, for a user who is
    neither root nor has sudo."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        shutil.copytree(ROOT / "tools", place / "checkout" / "tools")
        (place / "bin").mkdir()
        for program in ("bash", "sed", "xargs", "awk", "dirname", "cat", "echo", "flock", "mkdir", "tee",
                        "mktemp", "rm", "grep", "df"):
            (place / "bin" / program).symlink_to(shutil.which(program))
        query = place / "bin" / "dpkg-query"
        query.write_text('#!/bin/bash\necho "git installed"\n')
        query.chmod(0o755)
        subprocess.run(["chmod", "-R", "a+rwX", place], check=True)
        yield place


def test_without_root_and_sudo_the_one_missing_command_is_printed(checkout_of_nobody):
    place = checkout_of_nobody
    user = dict(user=65534, group=65534, extra_groups=[]) if os.geteuid() == 0 else {}
    result = subprocess.run([place / "checkout/tools/setup"],
                            env={
                                "PATH": str(place / "bin"),
                                "HOME": str(place)
                            },
                            stdin=subprocess.DEVNULL,
                            capture_output=True,
                            text=True,
                            **user)
    assert result.returncode != 0
    command = re.search(r"^  apt-get update && apt-get install --yes --no-install-recommends (.*)$",
                        result.stderr, re.M)
    assert command, result.stderr
    packages = command.group(1).split()
    assert "clang-19" in packages and "python3-venv" in packages and "git" not in packages
    assert not (place / "checkout/.venv").exists() and not (place / "checkout/build").exists()


def bare_checkout(folder):
    """tools/setup and what it reads, without packages."""
    (folder / "tools").mkdir(parents=True)
    for name in ("setup", "common.bash"):
        shutil.copy(ROOT / "tools" / name, folder / "tools")
    for name in ("tools/packages.txt", "tools/packages_mpi.txt", "requirements.txt",
                 "requirements.lock", "requirements-book.txt", "requirements-book.lock"):
        (folder / name).touch()
    return folder


def with_programs(folder, programs):
    folder.mkdir()
    for name, text in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)


def last_line(result):
    assert result.returncode != 0
    return result.stderr.splitlines()[-1]


def test_a_system_without_dpkg_is_sent_to_the_document(checkout_of_nobody):
    place = checkout_of_nobody
    (place / "bin/dpkg-query").unlink()
    result = subprocess.run([place / "checkout/tools/setup"],
                            env={"PATH": str(place / "bin"), "HOME": str(place)},
                            capture_output=True,
                            text=True)
    assert "docs/systems.md" in last_line(result) and (ROOT / "docs/systems.md").is_file()


REASONS = [
    ("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (unattended-upgr)",
     "Why: another program is installing Debian packages"),
    ("Err:1 http://a.mirror/debian bookworm InRelease\n"
     "  Temporary failure resolving 'a.mirror'", "Why: a server of packages could not be reached"),
    ("E: You don't have enough free space in /var/cache/apt/archives/.", "Why: the disk is full"),
    ("clang++-19: error: unable to execute command: Killed", "Why: too little memory"),
    ("Illegal instruction (core dumped)", "Why: this CPU lacks instructions"),
    ("E: Unable to locate package clang-19", "apt-get has not installed: a-package"),
]


@pytest.mark.parametrize("message, expected", REASONS, ids=[expected for _, expected in REASONS])
def test_the_last_line_says_why_it_failed(tmp_path, message, expected):
    checkout = bare_checkout(tmp_path / "checkout")
    (checkout / "tools/packages.txt").write_text("a-package\n")
    with_programs(tmp_path / "bin", {"dpkg-query": "exit 1", "sudo": '"$@"',
                                     "apt-get": f"cat >&2 << 'END'\n{message}\nEND\nexit 100"})
    result = subprocess.run([checkout / "tools/setup", "packages"],
                            env=os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"},
                            capture_output=True,
                            text=True)
    assert last_line(result).startswith(expected), result.stderr
    assert message in result.stderr


def test_pip_without_a_network_is_explained(tmp_path):
    checkout = bare_checkout(tmp_path)
    (checkout / "requirements-book.lock").write_text("no-such-package-here==1.0\n")
    nowhere = {name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy")}
    settings = nowhere | {"PIP_RETRIES": "1", "PIP_NO_CACHE_DIR": "1", "PIP_CONFIG_FILE": os.devnull}
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PIP_")} | settings
    result = subprocess.run([checkout / "tools/setup", "book"], env=environment, capture_output=True,
                            text=True)
    assert last_line(result).startswith("Why: a server of packages could not be reached"), result.stderr


def test_a_full_disk_is_explained(tmp_path):
    """A file system of its own, which only a name space can mount without root."""
    isolated = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    checkout, full = bare_checkout(tmp_path / "checkout"), tmp_path / "full"
    full.mkdir()
    mount = f"mount -t tmpfs -o size=256k none {full}"
    if subprocess.run(isolated + mount.split(), capture_output=True).returncode != 0:
        pytest.skip("this machine allows no mount")
    script = f"""{mount} && cp -r {checkout}/. {full} && export TMPDIR={full}
        head -c 1M /dev/zero > {full}/filling 2> /dev/null
        exec {full}/tools/setup book"""
    result = subprocess.run(isolated + ["bash", "-c", script], capture_output=True, text=True)
    assert last_line(result).startswith("Why: the disk is full"), result.stderr


def test_an_unknown_failure_points_to_make_doctor(tmp_path):
    checkout = bare_checkout(tmp_path / "checkout")
    with_programs(tmp_path / "bin", {"dpkg-query": "echo libclang-rt-19-dev installed", "cmake": "true",
                                     "ninja": "echo 'ninja: error: a riddle'; exit 1"})
    result = subprocess.run([checkout / "tools/setup", "kernel"],
                            env=os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"},
                            capture_output=True,
                            text=True)
    assert "a riddle" in result.stdout
    assert "`make doctor` looks for common causes" in last_line(result)


def test_an_environment_of_another_python_is_made_again(tmp_path):
    """As after an upgrade of Debian: the stamps are right, the Python behind .venv is another."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("setup", "common.bash"):
        shutil.copy(ROOT / "tools" / name, tools)
    for name in ("tools/packages.txt", "tools/packages_mpi.txt", "requirements.txt",
                 "requirements.lock"):
        (tmp_path / name).touch()
    (tmp_path / "bin").mkdir()
    for program, output in {"dpkg-query": "libclang-rt-19-dev installed", "cmake": ""}.items():
        (tmp_path / "bin" / program).write_text(f"#!/bin/sh\necho {output}\n")
        (tmp_path / "bin" / program).chmod(0o755)
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/usr/bin/python3")
    (tmp_path / ".venv/lib/python3.1/site-packages").mkdir(parents=True)
    (tmp_path / ".venv/pyvenv.cfg").write_text(
        "home = /usr/bin\ninclude-system-site-packages = false\n")
    place = f"{tmp_path} {os.uname().machine}"
    (tmp_path / ".venv/lanes-place").write_text(place)
    (tmp_path / ".venv/lanes-stamp").write_text(f"{place} {hashlib.sha256().hexdigest()}  -")
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    subprocess.run([tools / "setup", "environment"], env=os.environ | {"PATH": path}, timeout=300)
    assert subprocess.run([python, "-c", "import pip"]).returncode == 0


def test_an_image_needs_only_python_and_stays_when_the_course_is_built(tmp_path):
    checkout = bare_checkout(tmp_path / "checkout")
    with_programs(tmp_path / "bin", {"dpkg-query": f"touch {tmp_path}/asked; echo libclang-rt-19-dev installed",
                                     "cmake": f"touch {checkout}/build/CMakeCache.txt"})

    def setup(what):
        return subprocess.run([checkout / "tools/setup", what], capture_output=True, text=True,
                              env=os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"})

    for target in ("image", "bundle"):
        commands = subprocess.run(["make", "-n", "-C", ROOT, target], check=True, capture_output=True, text=True)
        assert "tools/setup python\n" in commands.stdout
    result = setup("python")
    assert result.returncode == 0, result.stderr
    assert subprocess.run([checkout / ".venv/bin/python", "-c", "import pip"]).returncode == 0
    assert not (tmp_path / "asked").exists() and not (checkout / "build").exists()
    image = checkout / "build/image/lanes.tar"
    image.parent.mkdir(parents=True)
    image.touch()
    assert setup("configured").returncode == 0 and image.exists()
    (checkout / "build/lanes-stamp").write_text("another CPU")
    assert setup("configured").returncode == 0 and not image.exists()


def test_make_help_lists_every_target():
    makefile = (ROOT / "Makefile").read_text()
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.M).group(1).split()
    shown = subprocess.run(["make", "-s", "-C", ROOT], check=True, capture_output=True,
                           text=True).stdout
    assert [line.split()[1] for line in shown.splitlines()] == targets


def test_make_lab_builds_the_libraries_of_cells():
    """A build of everything would hide that `make lab` builds too little."""
    build = ROOT / "build"
    needed = json.loads((build / "xcpp17.json").read_text())["libraries"]
    ours = [os.path.relpath(path, build) for path in needed if Path(path).is_relative_to(build)]
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "lab"],
                              check=True,
                              capture_output=True,
                              text=True).stdout
    assert ours and [path for path in ours if f"-o {path} " not in commands] == []
    assert re.search(r"make_build lab\b", (ROOT / "tools/setup").read_text())
