"""Every row of the dialect that xcpp17 notebooks speak, through a real client."""

import json
import os
import re
import subprocess
import sys

import nbformat
import pytest
from client import jupyter_path, kernelspec_manager

# kernelspec


def test_kernelspec():
    spec = kernelspec_manager().get_kernel_spec("xcpp17")
    assert spec.argv[1:3] == ["-f", "{connection_file}"] and "-std=c++17" in spec.argv
    assert os.access(spec.argv[0], os.X_OK)
    assert spec.language in ("C++17", "cpp") and spec.display_name
    assert spec.interrupt_mode in ("signal", "message")
    assert any((jupyter_path() / "kernels" / "xcpp17").glob("logo*"))


def test_flags_appended_to_argv(make_kernel, tmp_path):
    (tmp_path / "beside.hpp").write_text("inline int beside() { return 5; }")
    kernel = make_kernel(extra_arguments=["-DFROM_ARGV=42", f"-I{tmp_path}"])
    assert kernel.value("FROM_ARGV") == "42"
    assert kernel.value('#include "beside.hpp"\nbeside()') == "5"


def test_another_standard(make_kernel):
    kernel = make_kernel(extra_arguments=["-std=c++20"])
    # Another standard has no precompiled header: the session compiles its headers first.
    kernel.run("template <class T> concept Any = true; template <Any T> int f20(T) { return 20; }",
               timeout=90).ok()
    assert kernel.value("f20(1)") == "20"


def test_unknown_flag_is_told_and_not_fatal(make_kernel):
    kernel = make_kernel(extra_arguments=["-fno-such-flag-anywhere"])
    result = kernel.run("40 + 2").ok()
    assert result.result == "42"
    assert "no-such-flag" in result.shown + result.stderr + result.stdout


def test_version_of_cplusplus(kernel):
    assert kernel.value("__cplusplus") == "201703"


# Magics


def test_timeit(kernel):
    kernel.run("#include <cmath>\nint timed = 0;").ok()
    result = kernel.run("%timeit timed += 1").ok()
    text = result.stdout + result.shown + str(result.result)
    assert re.search(r"\d+(\.\d+)? ?(ns|us|µs|ms|s)\b.*(per loop|loop)", text), text
    result = kernel.run("%timeit -n 10 -r 3 timed = 1000").ok()
    assert re.search(r"3 runs.*10 loops", result.stdout + result.shown), result
    before = int(kernel.value("timed = 0"))
    kernel.run("%timeit -n 5 -r 2 ++timed").ok()
    assert int(kernel.value("timed")) >= before + 10


def test_cell_timeit(kernel):
    result = kernel.run(
        "%%timeit -n 2 -r 2\nint sum = 0;\nfor (int i = 0; i < 10; ++i) sum += i;").ok()
    assert re.search(r"loop", result.stdout + result.shown)


def test_cell_timeit_with_set_up(kernel):
    kernel.run("int set_ups = 0, bodies = 0;").ok()
    result = kernel.run("%%timeit -n 2 -r 3 int step = ++set_ups;  // once\nbodies += step;").ok()
    assert "3 runs, 2 loops" in result.stdout
    assert kernel.value("set_ups") == "1" and kernel.value("bodies") == "6"
    assert kernel.run("step").ename == "CompileError", "what set-up declares is local"
    assert ":1:23: error: use of undeclared" in kernel.run("%%timeit -n 5 int n = nowhere;\nn;").traceback


def test_timeit_with_an_error(kernel):
    assert kernel.run("%timeit not_declared + 1").ename == "CompileError"
    assert kernel.run('%timeit throw std::runtime_error("timed");').ename == "std::runtime_error"
    assert kernel.run("%timeit").status == "error"
    for code, place in (("%timeit 1 + nowhere", "1:13"), ("%%timeit\n1 + nowhere;", "2:5"),
                        ("int before_it = 1;\n %timeit 1 + nowhere", "2:14")):
        assert f":{place}: error: use of undeclared" in kernel.run(code).traceback, code
    assert kernel.value("40 + 2") == "42"


def test_file(kernel):
    kernel.run("%%file written.hpp\n#pragma once\ninline int from_file() { return 12; }").ok()
    assert (kernel.work / "written.hpp"
            ).read_text().rstrip("\n") == "#pragma once\ninline int from_file() { return 12; }"
    assert kernel.value('#include "written.hpp"\nfrom_file()') == "12"
    kernel.run("%%file -a written.txt\none").ok()
    kernel.run("%%file -a written.txt\ntwo").ok()
    assert (kernel.work / "written.txt").read_text().split() == ["one", "two"]
    assert kernel.run("%%file /no/such/folder/x\ny").status == "error"


def test_executable(kernel):
    result = kernel.run(
        '%%executable made_here\n#include <cstdio>\nint helper() { return 5; }\nint main() { std::printf("made %d\\n", helper()); return 0; }',
        timeout=60)
    if result.status == "error":  # the dialect of xeus-cling: the body of main, without main
        result.ok()
    assert subprocess.run([kernel.work / "made_here"], capture_output=True, text=True,
                          check=True).stdout == "made 5\n"


def test_executable_with_an_error(kernel):
    result = kernel.run("%%executable never_made\nint main() { return undeclared; }", timeout=60)
    assert result.ename == "CompileError" and "undeclared" in result.evalue + result.traceback
    assert not (kernel.work / "never_made").exists()


def test_executable_in_a_folder_that_is_gone(kernel):
    kernel.run("%cd " + str(kernel.work)).ok()
    kernel.run("int kept_value = 5;\n!mkdir gone\n%cd gone\n!rmdir ../gone").ok()
    result = kernel.run("%%executable program\nint main() {}")
    assert (result.ename, "folder is gone" in result.evalue) == ("FileError", True), result
    kernel.run("%cd " + str(kernel.work)).ok()
    assert kernel.value("kept_value") == "5"


def test_unknown_magic(kernel):
    for code in ("%no_such_magic", "%%no_such_magic\nint x;", "%timit 1"):
        result = kernel.run(code)
        assert result.status == "error" and code.split()[0].lstrip("%") in result.evalue
        assert result.evalue.removesuffix(" %lsmagic lists all of them.")[-1] in ".?", result.evalue
    assert kernel.value("40 + 2") == "42"


def test_percent_as_an_operator_is_no_magic(kernel):
    assert kernel.value("int modulo = 17\n% 5;\nmodulo") == "2"


def test_list_of_magics(kernel):
    result = kernel.run("%lsmagic").ok()
    text = result.stdout + result.shown + str(result.payload)
    for name in ("%timeit", "%%file", "%%executable", "%undo", "%who"):
        assert name in text


def test_version_names_the_kernel_the_compiler_and_the_standard(kernel, make_kernel):
    kernel_line, clang, standard = kernel.run("%version").ok().stdout.splitlines()
    assert re.fullmatch(r"xcpp17 \d+\.\d+\.\d+", kernel_line)
    assert "clang version 19" in clang and standard == "C++17"
    other = make_kernel(extra_arguments=["-std=c++20"])
    assert other.run("%version").ok().stdout == f"{kernel_line}\n{clang}\nC++20\n"


# Shell


def test_shell(kernel):
    assert kernel.run("!echo from the shell").ok().stdout == "from the shell\n"
    assert kernel.run("!echo wrong >&2").ok().stderr == "wrong\n"
    assert kernel.run("!echo one | tr a-z A-Z; pwd").ok().stdout == f"ONE\n{kernel.work}\n"
    mixed = kernel.run(
        'std::cout << "a" << std::endl;\n!echo b\nstd::cout << "c" << std::endl;').ok()
    assert mixed.stdout == "a\nb\nc\n"


def test_shell_command_that_fails(kernel):
    result = kernel.run("!exit 3")
    assert "3" in str(result.evalue) + result.stdout + result.stderr + result.shown
    assert kernel.value("40 + 2") == "42"


# Pragmas


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "include").mkdir()
    (folder / "lib").mkdir()
    (folder / "answer.cpp").write_text(
        'extern "C" int answer_of_library() { return 42; }\nint cpp_answer() { return 43; }\n')
    (folder / "include" / "answer.hpp").write_text(
        '#pragma once\n#pragma cling load("libanswer")\nextern "C" int answer_of_library();\nint cpp_answer();\n'
    )
    (folder / "include" /
     "add_paths.hpp").write_text(f'#pragma once\n#pragma cling add_library_path("{folder}/lib")\n')
    subprocess.run([
        "clang++-19", "-shared", "-fPIC", "-o", folder / "lib" / "libanswer.so",
        folder / "answer.cpp"
    ],
                   check=True)
    return folder


def test_pragmas_in_a_cell(make_kernel, library):
    kernel = make_kernel()
    kernel.run(
        f'#pragma cling add_library_path("{library}/lib")\n#pragma cling load("libanswer")\nextern "C" int answer_of_library();'
    ).ok()
    assert kernel.value("answer_of_library()") == "42"


def test_pragmas_in_a_header(make_kernel, library):
    kernel = make_kernel()
    kernel.run(f'#pragma cling add_include_path("{library}/include")').ok()
    kernel.run('#include "add_paths.hpp"\n#include "answer.hpp"').ok()
    assert kernel.value("answer_of_library() + cpp_answer()") == "85"


def test_pragmas_and_use_in_one_cell(make_kernel, library):
    kernel = make_kernel()
    assert (kernel.value(
        f'#pragma cling add_include_path("{library}/include")\n#pragma cling add_library_path("{library}/lib")\n#include "answer.hpp"\nanswer_of_library()'
    ) == "42")
    kernel.run("abort();")
    assert kernel.value("answer_of_library()") == "42"


def test_load_with_a_full_path(make_kernel, library):
    kernel = make_kernel()
    assert kernel.value(
        f'#pragma cling load("{library}/lib/libanswer.so")\nextern "C" int answer_of_library();\nanswer_of_library()'
    ) == "42"


def test_a_prototype_of_a_library_function(make_kernel, library):
    kernel = make_kernel()
    kernel.run("int cpp_answer();").ok()
    assert kernel.run("cpp_answer()").ename == "LinkError"
    kernel.run(f'#pragma cling load("{library}/lib/libanswer.so")').ok()
    assert kernel.value("cpp_answer()") == "43"


def test_paths_with_environment_variables(make_kernel, library):
    kernel = make_kernel(env={"HOME_OF_LIBRARY": str(library)})
    kernel.run('#pragma cling add_include_path("$HOME_OF_LIBRARY/include")\n'
               '#pragma cling add_library_path("${HOME_OF_LIBRARY}/lib")').ok()
    assert kernel.value('#include "answer.hpp"\nanswer_of_library()') == "42"


def test_cling_is_defined(kernel):
    assert kernel.value(
        "#ifdef __CLING__\nint cling_here = 1;\n#else\nint cling_here = 0;\n#endif\ncling_here"
    ) == "1"


# A notebook written for the peers


def test_a_whole_notebook_of_the_peers_runs(tmp_path):
    """nbconvert executes it, as CI and graders do."""
    cells = [
        "#include <iostream>\n#include <vector>",
        'std::cout << "Hello" << std::endl;',
        "double sqr(double a)\n{\n    return a * a;\n}",
        "double a = 2.5;\ndouble asqr = sqr(a);\nasqr",
        'class Foo\n{\npublic:\n\n    virtual ~Foo() {}\n\n    virtual void print(double value) const\n    {\n        std::cout << "Foo value = " << value << std::endl;\n    }\n};',
        "Foo bar;\nbar.print(1.2);",
        "template <class T>\nclass FooT\n{\npublic:\n\n    explicit FooT(const T& t) : m_t(t) {}\n\n    void print() const\n    {\n        std::cout << m_t << std::endl;\n    }\n\nprivate:\n\n    T m_t;\n};\n\ntemplate <>\nclass FooT<int>\n{\npublic:\n\n    explicit FooT(const int& t) : m_t(t) {}\n\n    void print() const\n    {\n        std::cout << m_t << std::endl;\n    }\n\nprivate:\n\n    int m_t;\n};",
        "FooT<double> foot1(1.2);\nfoot1.print();",
        "FooT<int> foot2(4);\nfoot2.print();",
    ]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(c) for c in cells],
        metadata={"kernelspec": {
            "name": "xcpp17",
            "display_name": "C++17",
            "language": "C++17"
        }})
    path = tmp_path / "peer.ipynb"
    nbformat.write(notebook, path)
    environment = dict(os.environ, JUPYTER_PATH=str(jupyter_path()))
    run = subprocess.run([
        sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace",
        str(path)
    ],
                         env=environment,
                         capture_output=True,
                         text=True)
    assert run.returncode == 0, run.stderr
    outputs = json.loads(path.read_text())["cells"]
    texts = [
        "".join("".join(o.get("text",
                              o.get("data", {}).get("text/plain", "")))
                for o in c["outputs"])
        for c in outputs
    ]
    assert texts[1] == "Hello\n" and texts[3].startswith(
        "6.25") and texts[5] == "Foo value = 1.2\n" and texts[7:] == ["1.2\n", "4\n"]
