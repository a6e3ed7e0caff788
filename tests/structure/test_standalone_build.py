"""tools/compile.bash: the build of tools/program and tools/try-gpu compiles what has changed."""

import os
import subprocess
import time

import pytest
from tree import ROOT


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "value.hpp").write_text("inline int value() { return 1; }\n")
    (tmp_path / "with_header.cpp").write_text('#include "value.hpp"\nint a = value();\n')
    (tmp_path / "alone.cpp").write_text("int b = 2;\n")
    return tmp_path


def compiled(folder, flags="-O0", compiler="g++"):
    """Builds, and returns the names of the sources that were compiled."""
    script = f"""
        source {ROOT}/tools/common.bash
        source {ROOT}/tools/compile.bash
        compiler={compiler} flags='{flags}' objects={folder}/objects
        printf '%s\\n' {folder}/with_header.cpp {folder}/alone.cpp | compile_changed
    """
    before = time.time_ns()
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=1200)
    assert result.returncode == 0, result.stderr
    objects = result.stdout.split()
    assert len(objects) == 2
    return {
        name
        for name, path in zip(("with_header", "alone"), objects)
        if os.stat(path).st_mtime_ns >= before - 10_000_000
    }


def test_nothing_is_compiled_twice(sources):
    assert compiled(sources) == {"with_header", "alone"}
    time.sleep(0.1)
    assert compiled(sources) == set()


def test_a_changed_header_compiles_what_includes_it(sources):
    compiled(sources)
    time.sleep(0.1)
    (sources / "value.hpp").write_text("inline int value() { return 2; }\n")
    assert compiled(sources) == {"with_header"}


def test_other_flags_and_other_compilers_compile_everything(sources):
    compiled(sources)
    time.sleep(0.1)
    assert compiled(sources, flags="-O1") == {"with_header", "alone"}
    time.sleep(0.1)
    assert compiled(sources, flags="-O1", compiler="clang++-19") == {"with_header", "alone"}


def test_a_header_that_is_gone_is_an_error_and_no_old_object(sources):
    compiled(sources)
    (sources / "value.hpp").unlink()
    with pytest.raises(AssertionError):
        compiled(sources)


@pytest.mark.parametrize("source, functions", [
    ("byte_source.cpp", ["gzread"]),
    ("image_codec.cpp", ["png_image_finish_read", "tjDecompress2"]),
])
def test_a_standalone_build_uses_zlib_png_and_jpeg_if_there_are_headers(
        source, functions, tmp_path):
    subprocess.run([
        "g++", "-std=c++17", "-DLANES_STANDALONE", f"-I{ROOT}/include", f"-I{ROOT}/src", "-c",
        ROOT / "src/data" / source, "-o", tmp_path / "object.o"
    ],
                   check=True)
    used = subprocess.run(["nm", "-u", tmp_path / "object.o"], capture_output=True, text=True)
    assert set(functions) <= set(used.stdout.split())


@pytest.mark.parametrize("header, needed", [("lanes/course.hpp", False),
                                            ("lanes/distributed.hpp", True)])
def test_only_a_program_with_messages_needs_mpi(header, needed, tmp_path):
    """On a machine without Open MPI every other lesson becomes a program."""
    log = tmp_path / "compiled.txt"
    for name, text in (("g++", f'echo "$@" >> {log}; [[ $* != *--version* ]] || echo fake\n'
                        'while (($# > 1)); do [[ $1 != -o ]] || : > "$2"; shift; done'),
                       ("mpicxx", "echo")):
        (tmp_path / name).write_text(f"#!/bin/bash\n{text}\n")
        (tmp_path / name).chmod(0o755)
    program = tmp_path / "lesson.cpp"
    program.write_text(f'#include "{header}"\n')
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("tools", "include", "src", "exercises", "jupyter_kernel", "requirements.txt"):
        (checkout / name).symlink_to(ROOT / name)
    made = subprocess.run([checkout / "tools/program", program], capture_output=True, text=True,
                          env={**os.environ, "CXX": "g++", "PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert made.returncode == 0, made.stderr
    assert "src/distributed/ring_all_reduce.cpp" in log.read_text()
    assert ("src/distributed/mpi/world.cpp" in log.read_text()) == needed
