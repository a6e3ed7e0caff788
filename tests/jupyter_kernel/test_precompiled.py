"""A precompiled header that does not fit is never fatal: the session works without it and says so once."""

import json
import shutil
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from client import SLOW, kernelspec_manager
from jupyter_client.kernelspec import KernelSpecManager


def overwritten(tmp_path, where, how_much=lambda size: 4096):
    def change(config):
        copy = tmp_path / "overwritten.pch"
        data = bytearray(Path(config["pch"]).read_bytes())
        begin, length = where(len(data)), how_much(len(data))
        data[begin:begin + length] = b"\xff" * length
        copy.write_bytes(data)
        config["pch"] = str(copy)

    return change


def corrupt_at_the_start(tmp_path):
    return overwritten(tmp_path, lambda size: 4)


def corrupt_in_large_parts(tmp_path):
    """Few bytes may be some that no cell needs."""
    return overwritten(tmp_path, lambda size: size // 3, lambda size: size // 3)


def cut_off(tmp_path):
    def change(config):
        copy = tmp_path / "cut.pch"
        copy.write_bytes(Path(config["pch"]).read_bytes()[:100_000])
        config["pch"] = str(copy)

    return change


def empty(tmp_path):
    def change(config):
        (tmp_path / "empty.pch").write_bytes(b"")
        config["pch"] = str(tmp_path / "empty.pch")

    return change


def missing(tmp_path):
    def change(config):
        config["pch"] = str(tmp_path / "no.pch")

    return change


def other_flags(tmp_path):
    def change(config):
        config["arguments"] = config["arguments"] + ["-ffast-math"]

    return change


def check_works(kernel):
    """Returns what was said beside the results of its three cells."""
    first = kernel.run("6 * 7", timeout=60).ok()
    assert first.result == "42"
    second = kernel.run("#include <xtensor/xarray.hpp>\nxt::xarray<double> a{1., 2.};\na + 1",
                        timeout=60).ok()
    assert "<table" in second.data["text/html"]
    assert kernel.run("abort();", timeout=60).ename == "Crash"
    third = kernel.run("40 + 2", timeout=60).ok()
    assert third.result == "42"
    assert first.stderr == second.stderr == third.stderr == ""
    return [[str(content["data"]) for content in result.displays]
            for result in (first, second, third)]


def kinds(notes):
    """What each note of each cell is about."""
    about = {"precompiled header": "header", "cells are gone": "gone"}
    return [[next((kind for words, kind in about.items() if words in note), note) for note in cell]
            for cell in notes]


@pytest.mark.parametrize("fault", [corrupt_at_the_start, cut_off, missing, other_flags],
                         ids=lambda f: f.__name__)
def test_precompiled_header_that_does_not_fit(with_config, tmp_path, fault):
    kernel = with_config(fault(tmp_path))
    notes = check_works(kernel)
    assert kinds(notes) == [["header"], [], []], f"said once: {notes}"
    assert "make" in notes[0][0], f"says what to do: {notes}"


def test_precompiled_header_that_is_corrupt_where_nobody_looks(with_config, tmp_path):
    """The cell that reads the corrupt part first is run again by a session without the header. It is said, and, if it is not the first cell, that earlier cells are gone."""
    def change(config):
        corrupt_in_large_parts(tmp_path)(config)
        config.update(first_templates="", first_cells="")  # only the cells read it

    notes = check_works(with_config(change))
    assert kinds(notes) in ([["header"], [], []], [[], ["gone", "header"], []]), notes


def test_precompiled_header_that_is_corrupt_where_the_session_reads_ahead(with_config, tmp_path):
    """It starts again before the first cell: nothing is lost, and one note says why it is slow."""
    kernel = with_config(corrupt_in_large_parts(tmp_path))
    front = psutil.Process(kernel.manager.provisioner.pid)
    limit = time.monotonic() + 60 * SLOW
    while not any("--no-pch" in child.cmdline() for child in front.children()):
        assert time.monotonic() < limit, "the session has not noticed it"
        time.sleep(0.1)
    notes = check_works(kernel)
    assert kinds(notes) == [["header"], [], []], notes


def test_header_newer_than_the_precompiled_one(with_config, tmp_path):
    """Somebody edited a header of the course and has not run make: the session starts and the cell sees the new text."""
    def change(config):
        includes = tmp_path / "includes"
        includes.mkdir()
        copy = tmp_path / "stale.pch"
        shutil.copy(config["pch"], copy)
        config["pch"] = str(copy)
        config["includes"] = [str(includes), *config["includes"]]
        (includes / "edited.hpp").write_text("#pragma once\ninline int edited() { return 2; }\n")

    kernel = with_config(change)
    assert kernel.run("6 * 7", timeout=60).ok().result == "42"
    assert kernel.run('#include "edited.hpp"\nedited()', timeout=60).ok().result == "2"


def broken_header(tmp_path):
    def change(config):
        config["pch"] = str(tmp_path / "no.pch")
        config["pch_header"] = str(tmp_path / "all.hpp")
        (tmp_path / "all.hpp").write_text('#include "broken.hpp"\n')
        (tmp_path / "broken.hpp").write_text("#pragma once\nint broken = ;\nstd::nothing x;\n")

    return change


def test_header_that_does_not_compile(with_config, tmp_path):
    """Somebody broke a header of the course and has not run make: the session starts without it and names the place."""
    kernel = with_config(broken_header(tmp_path))
    notes = kernel.run("6 * 7", timeout=60).ok().displays
    assert kernel.run("abort();", timeout=60).ename == "Crash"
    again = kernel.run("#include <vector>\nstd::vector<int>{40, 2}.size()", timeout=60).ok()
    assert again.result == "2" and again.displays == []
    assert len(notes) == 1 and "broken.hpp:2: expected expression" in str(notes[0]["data"]), notes
    assert kernel.run(f'#include "{tmp_path}/broken.hpp"').ename == "CompileError"


def test_program_from_another_folder_without_a_precompiled_header(with_config, tmp_path):
    """Names of files are meant from where it was called, also when the session starts itself anew."""
    def change(config):
        cut_off(tmp_path)(config)
        cut = config["pch"]
        broken_header(tmp_path)(config)
        config["pch"] = cut

    with_config(change).stop()
    cell = {
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": ["int x = 3;"]
    }
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "one.ipynb").write_text(
        json.dumps({
            "cells": [cell],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5
        }))
    front = kernelspec_manager().get_kernel_spec("xcpp17").argv[0]
    made = subprocess.run(
        [front, "--program", "lessons/one.ipynb", "-o", "one.cpp", "--config", "config.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60)
    assert (made.returncode, made.stderr) == (0, ""), made
    assert "int x = 3;" in (tmp_path / "one.cpp").read_text()


def test_session_that_cannot_start_says_why(with_config):
    """A grader shows evalue alone."""
    def change(config):
        config["libraries"] = ["/nowhere/libnothing.so"]

    result = with_config(change).run("6 * 7", timeout=60)
    assert result.ename == "Crash" and "does not start" in result.evalue and "/nowhere/libnothing.so" in result.evalue, result


def test_no_configuration_at_all(tmp_path, make_kernel):
    spec = kernelspec_manager().get_kernel_spec("xcpp17")
    folder = tmp_path / "kernels" / "xcpp17"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(
        json.dumps({
            "argv": [spec.argv[0], "-f", "{connection_file}", "-std=c++17"],
            "display_name": "C++17",
            "language": "C++17"
        }))
    kernel = make_kernel(manager=KernelSpecManager(kernel_dirs=[str(tmp_path / "kernels")],
                                                   ensure_native_kernel=False))
    assert kernel.run("6 * 7", timeout=60).ok().result == "42"
    assert kernel.run("#include <vector>\nstd::vector<int>{1, 2}.size()",
                      timeout=60).ok().result == "2"


def test_grading_with_a_header_that_does_not_fit_is_silent(with_config, tmp_path):
    kernel = with_config(empty(tmp_path), env={"NBGRADER_EXECUTION": "autograde"})
    assert kernel.run("6 * 7", timeout=60).ok().stderr == ""


def test_the_one_that_fits_is_used_without_a_word(make_kernel):
    kernel = make_kernel()
    result = kernel.run("6 * 7").ok()
    assert result.displays == [] and result.stderr == ""
    seconds = kernel.processor_seconds("#include <xtensor/xarray.hpp>")
    assert seconds < 0.5, "xtensor's headers come from the precompiled one"
