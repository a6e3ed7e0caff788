"""A notebook becomes a program: `xcpp17 --program`, then any C++17 compiler, then no Jupyter at all."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from client import kernelspec_manager

CHECKOUT = Path(__file__).resolve().parents[2]
BUILD = Path(kernelspec_manager().get_kernel_spec("xcpp17").argv[0]).parents[1]


def write_notebook(folder, *cells):
    code = [{
        "cell_type": "code",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": text.splitlines(True)
    } for text in cells]
    prose = {"cell_type": "markdown", "metadata": {}, "source": ["# int x = this is no code;\n"]}
    path = folder / "lesson.ipynb"
    path.write_text(
        json.dumps({
            "cells": [prose, *code],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5
        }))
    return path


def generate(notebook):
    return subprocess.run(
        [BUILD / "bin/xcpp17", "--program", notebook, "-o",
         notebook.with_suffix(".cpp")],
        capture_output=True,
        text=True)


def run(folder, *cells, compiler="clang++-19"):
    notebook = write_notebook(folder, *cells)
    made = generate(notebook)
    assert made.returncode == 0, made.stderr
    program = notebook.with_suffix("")
    command = [
        compiler, "-std=c++17", f"-I{CHECKOUT / 'jupyter_kernel/include'}",
        notebook.with_suffix(".cpp"), BUILD / "lib/libxcpp_program.a", "-pthread", "-ldl", "-o",
        program
    ]
    compiled = subprocess.run(command, capture_output=True, text=True)
    assert compiled.returncode == 0, compiled.stderr
    return made, subprocess.run([program], capture_output=True, text=True)


ORDER = (
    "#include <iostream>\n#include <vector>",
    'std::vector<int> v;\nint x = 3;\nstd::cout << "x is " << x << "\\n";\nx = 5;\nint y = x * 2;\ny',
    "int f(int a) { return a + y; }\nint f(double) { return -1; }\nf(1) * 100 + f(1.0)",
    "struct P { int n; int twice() const; };\nint P::twice() const { return 2 * n; }",
    "for (int i = 0; i < 3; ++i) v.push_back(P{i}.twice());\nv",
    "namespace inner { int z = 4; }\nusing namespace inner;",
    "auto g = [&](int k) { return k + x + z; };\ng(4)",
)
EXPECTED = "x is 3\n10\n1099\n{ 0, 2, 4 }\n13\n"


@pytest.mark.parametrize("compiler", ["clang++-19", "g++"])
def test_cells_run_in_their_order(tmp_path, compiler):
    _, ran = run(tmp_path, *ORDER, compiler=compiler)
    assert (ran.stdout, ran.returncode) == (EXPECTED, 0), ran.stderr


def test_what_is_for_jupyter_alone_is_left_out_and_told(tmp_path):
    made, ran = run(tmp_path, "int x = 4;", "%who", "x + 1")
    assert "lesson.ipynb, code cell 2: %who is left out." in made.stderr
    assert ran.stdout == "5\n"


def test_a_cell_that_fails_on_purpose_is_left_out_and_told(tmp_path):
    notebook = write_notebook(tmp_path, "int x = 4;", "int y = ;", "x + 1")
    content = json.loads(notebook.read_text())
    content["cells"][2]["metadata"] = {"tags": ["play", "raises-exception"]}
    notebook.write_text(json.dumps(content))
    made = generate(notebook)
    assert (made.returncode, made.stderr) == (
        0, "lesson.ipynb, code cell 2 has the tag raises-exception and is left out.\n")
    text = notebook.with_suffix(".cpp").read_text()
    assert "code cell 3" in text and "code cell 2" not in text


@pytest.mark.parametrize(
    "cells, name",
    [
        (["int x = 1;", "double x = 2;"], "x"),
        (["void h(int) {}", "void h(double) {}", "int y = 1;", "void h(int b) { b = 1; }"], "h"),
        (["struct S {};", "struct S { int a; };"], "S"),
        ([
            "template <class T> T t(T v) { return v; }",
            "template <class T> T t(T v) { return v + v; }"
        ], "t"),
    ],
)
def test_a_name_defined_twice_is_refused_with_both_cells(tmp_path, cells, name):
    notebook = write_notebook(tmp_path, *cells)
    made = generate(notebook)
    assert made.returncode == 1
    assert f"code cells 1 and {len(cells)} both define '{name}'" in made.stderr
    assert not notebook.with_suffix(".cpp").exists()


def test_a_cell_that_does_not_compile_is_named(tmp_path):
    made = generate(write_notebook(tmp_path, "int x = 3;", "int y = ;"))
    assert made.returncode == 1
    assert "lesson.ipynb, code cell 2 does not compile: line 1: expected expression" in made.stderr


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"cells": 3}'])
def test_a_file_that_is_no_notebook(tmp_path, text):
    path = tmp_path / "broken.ipynb"
    path.write_text(text)
    made = generate(path)
    assert made.returncode == 1
    assert "broken.ipynb: not a notebook" in made.stderr
    made = generate(tmp_path / "absent.ipynb")
    assert made.returncode == 1
    assert "absent.ipynb: cannot be read" in made.stderr


def test_an_exception_names_its_cell(tmp_path):
    _, ran = run(tmp_path, '#include <iostream>\nstd::cout << "before";',
                 '#include <stdexcept>\nthrow std::runtime_error("too far");')
    assert (ran.stdout, ran.stderr,
            ran.returncode) == ("before",
                                "lesson.ipynb, code cell 2: std::runtime_error: too far\n", 1)


def test_an_exception_of_an_initialiser(tmp_path):
    _, ran = run(tmp_path,
                 '#include <stdexcept>\nint f() { throw std::runtime_error("no value"); }',
                 "int x = f();")
    assert ran.returncode == 1
    assert "lesson.ipynb, before the first statement: std::runtime_error: no value" in ran.stderr


def test_a_display_is_its_plain_text(tmp_path):
    _, ran = run(
        tmp_path,
        "#include <nlohmann/json.hpp>\n#include \"xcpp/xdisplay.hpp\"",
        'struct Card {};\nnlohmann::json mime_bundle_repr(const Card&) { return {{"text/html", "<b>card</b>"}, {"text/plain", "a card"}}; }',
        "xcpp::display(Card{});\nxcpp::clear_output();\nCard{}",
    )
    assert ran.stdout == "a card\na card\n"


def test_the_front_says_what_it_can_do():
    text = subprocess.run([BUILD / "bin/xcpp17", "--help"],
                          capture_output=True,
                          text=True,
                          env={
                              **os.environ
                          }).stdout
    assert "--program NOTEBOOK" in text
