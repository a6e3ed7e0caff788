"""tools/doctor, in this installation and in broken ones."""

import os
import shutil
import subprocess

from tree import ROOT


def doctor(path_first=None, **settings):
    environment = os.environ | settings
    if path_first:
        environment["PATH"] = f"{path_first}:{environment['PATH']}"
    result = subprocess.run([ROOT / "tools/doctor"], env=environment, capture_output=True, text=True)
    lines = {}
    for line in result.stdout.splitlines():
        if line[:6].strip() in ("ok", "note", "WRONG"):
            lines.setdefault(line[7:19].strip(), []).append((line[:6].strip(), line[20:]))
    return result, lines


def test_this_installation_is_fine():
    result, lines = doctor()
    assert result.returncode == 0, result.stdout + result.stderr
    assert len(result.stdout.splitlines()) <= 24  # one screen
    assert {"system", "packages", "compiler", "Python", "build", "memory", "disk", "GPU", "OpenBLAS",
            "port", "locale", "sandbox"} <= set(lines)
    assert lines["OpenBLAS"][0][1].startswith("core type ")


def test_what_is_missing_is_named_with_its_remedy(tmp_path):
    (tmp_path / "meminfo").write_text("MemTotal: 900000 kB\nMemAvailable: 800000 kB\n")
    for program in ("dpkg-query", "clang++-19"):
        (tmp_path / program).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / program).chmod(0o755)
    result, lines = doctor(tmp_path, DOCTOR_PROC=str(tmp_path))
    assert result.returncode == 1
    status, text = lines["packages"][0]
    assert status == "WRONG" and "clang-19" in text and "make build installs them" in text
    assert lines["compiler"][0][0] == "WRONG"
    assert lines["memory"][0] == ("WRONG", "0.9 GB: the course needs 2 GB, the build 4")
    assert "3 thing(s) are wrong" in result.stdout


def test_a_checkout_that_was_never_built(tmp_path):
    (tmp_path / "tools").mkdir()
    for name in ("doctor", "common.bash", "packages.txt"):
        shutil.copy(ROOT / "tools" / name, tmp_path / "tools")
    (tmp_path / "include").mkdir()
    result = subprocess.run([tmp_path / "tools/doctor"], capture_output=True, text=True)
    assert result.returncode == 1
    assert "WRONG  Python       .venv is missing" in result.stdout
    assert "WRONG  build        not built. make build" in result.stdout
