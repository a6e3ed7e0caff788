"""tools/doctor, in this installation and in broken ones."""

import os
import shutil
import subprocess

import pytest
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


def bare_checkout(folder):
    (folder / "tools").mkdir()
    for name in ("doctor", "common.bash", "packages.txt"):
        shutil.copy(ROOT / "tools" / name, folder / "tools")
    (folder / "include").mkdir()


def in_sandbox(folder, *options):
    """The lines of doctor where only `options` can be written to."""
    command = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/usr/local", *map(str, options)]
    if subprocess.run([*command, "true"], capture_output=True).returncode:
        pytest.skip("bubblewrap cannot make namespaces here")
    environment = os.environ | {"HOME": str(folder / "home"), "PATH": f"{folder}/fakes:{os.environ['PATH']}"}
    environment.pop("LANES_CACHE", None)
    environment.pop("XDG_CACHE_HOME", None)
    return subprocess.run([*command, folder / "tools/doctor"], env=environment, capture_output=True,
                          text=True).stdout


def test_a_finished_installation_is_written_to_in_work_alone(tmp_path):
    bare_checkout(tmp_path)
    for name in (".jupyter", "home", "work"):
        (tmp_path / name).mkdir()
    places = [word for name in ("home", "work") for word in ("--bind", tmp_path / name, tmp_path / name)]
    said = in_sandbox(tmp_path, "--tmpfs", os.environ.get("TMPDIR", "/tmp"), "--ro-bind", tmp_path, tmp_path,
                      *places)
    assert f"WRONG  disk         {tmp_path} cannot be written to" in said
    (tmp_path / ".finished").touch()
    said = in_sandbox(tmp_path, "--tmpfs", os.environ.get("TMPDIR", "/tmp"), "--ro-bind", tmp_path, tmp_path,
                      *places)
    assert "WRONG  disk" not in said and f"free in {tmp_path}/work" in said, said


def test_a_compiler_of_cuda_kernels_from_pip_is_found(tmp_path):
    bare_checkout(tmp_path)
    (tmp_path / "fakes").mkdir()
    for name, prints in (("nvidia-smi", "NVIDIA H200, 580.1"), ("ldconfig", "nothing")):
        (tmp_path / "fakes" / name).write_text(f"#!/bin/sh\necho '{prints}'\n")
        (tmp_path / "fakes" / name).chmod(0o755)
    assert "WRONG  GPU          NVIDIA H200, 580.1, but libnvrtc was not found" in in_sandbox(
        tmp_path, "--bind", tmp_path, tmp_path)
    place = tmp_path / ".venv/lib/python3.11/site-packages/nvidia/cu13/lib"
    place.mkdir(parents=True)
    (place / "libnvrtc.so.13").touch()
    assert "ok     GPU          NVIDIA H200, 580.1\n" in in_sandbox(tmp_path, "--bind", tmp_path, tmp_path)


DRIVER = """#include <string.h>
int cuInit(unsigned flags) { return RESULT; }
int cuDeviceGet(int* device, int number) { *device = 0; return 0; }
int cuDeviceGetName(char* name, int size, int device) { strcpy(name, "NVIDIA H200"); return 0; }
int cuDriverGetVersion(int* version) { *version = 13020; return 0; }
"""


def test_a_gpu_is_found_by_the_driver_if_there_is_no_nvidia_smi(tmp_path, monkeypatch):
    bare_checkout(tmp_path)
    place = tmp_path / ".venv/lib/python3.11/site-packages/nvidia/cu13/lib"
    for folder in (place, tmp_path / "fakes"):
        folder.mkdir(parents=True)
    (place / "libnvrtc.so.13").touch()
    (tmp_path / "fakes/nvidia-smi").write_text("#!/bin/sh\necho NVIDIA-SMI has failed\nexit 9\n")
    (tmp_path / "fakes/nvidia-smi").chmod(0o755)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path / "fakes"))

    def with_driver(result):
        (tmp_path / "driver.c").write_text(DRIVER.replace("RESULT", str(result)))
        subprocess.run(["clang-19", "-shared", "-fPIC", tmp_path / "driver.c", "-o", tmp_path / "fakes/libcuda.so.1"],
                       check=True)
        return in_sandbox(tmp_path, "--bind", tmp_path, tmp_path, "--dev-bind", "/dev/null", "/dev/nvidia0")

    assert "ok     GPU          NVIDIA H200, driver for CUDA 13.2\n" in with_driver(0)
    assert "WRONG  GPU          there is one, but neither nvidia-smi nor libcuda answers" in with_driver(999)


def test_a_checkout_that_was_never_built(tmp_path):
    bare_checkout(tmp_path)
    result = subprocess.run([tmp_path / "tools/doctor"], capture_output=True, text=True)
    assert result.returncode == 1
    assert "WRONG  Python       .venv is missing" in result.stdout
    assert "WRONG  build        not built. make build" in result.stdout
