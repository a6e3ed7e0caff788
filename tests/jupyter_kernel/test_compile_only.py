"""XCPP_COMPILE_ONLY: cells are compiled and not run, and `%references` says what they are made of."""

import json

import pytest

ONLY = {"XCPP_COMPILE_ONLY": "1"}


@pytest.fixture
def compiler(make_kernel, tmp_path):
    return make_kernel(env=ONLY, cwd=str(tmp_path))


def test_nothing_runs(compiler, tmp_path):
    mark = tmp_path / "mark"
    for cell in (f'std::ofstream("{mark}") << 1;', f'int x = (std::ofstream("{mark}") << 1, 7);',
                 f"struct S {{ S() {{ std::ofstream(\"{mark}\") << 1; }} }} s;", f"!touch {mark}",
                 f'%timeit std::ofstream("{mark}") << 1'):
        assert compiler.run(cell).status == "ok", cell
    assert not mark.exists()


def test_errors_of_the_compiler_are_told_and_cost_one_cell(compiler):
    assert compiler.run("int twice(int x) { return 2 * x; }").status == "ok"
    assert compiler.run("int wrong = twice(").ename == "CompileError"
    assert compiler.run("int four = twice(2);").status == "ok"


def test_references_name_what_a_function_is_made_of(compiler):
    compiler.run("using Number = double;\nint unused = 0;")
    compiler.run("Number half(Number x) { return x / 2; }")
    compiler.run("Number root_of_half(Number x) { return std::sqrt(half(x)); }")
    report = json.loads(compiler.run("%references root_of_half").stdout)
    assert [one["names"] for one in report["definitions"]] == [["Number"], ["half"],
                                                              ["root_of_half"]]
    assert "sqrt" in {one["name"] for one in report["references"]}
    assert compiler.run("%references nobody").stdout == "null"


def test_without_it_there_is_no_such_order(fresh):
    assert fresh.run("%references x").status == "error"


def test_a_configuration_without_an_analysis(with_config):
    kernel = with_config(lambda config: config.pop("analysis"), env=ONLY)
    assert kernel.run("int twice(int x) { return 2 * x; }").status == "ok"
    asked = kernel.run("%references twice")
    assert asked.ename == "NoAnalysis" and "no analysis is configured" in asked.evalue
    assert kernel.run("int four = twice(2);").status == "ok"


def test_an_analysis_that_does_not_exist(with_config):
    kernel = with_config(lambda config: config.update(analysis="/nowhere/libnone.so"))
    kernel.run('extern "C" const char* xcpp_references(const char*, const void*);\nint x = 1;').ok()
    asked = kernel.run('xcpp_references("x", nullptr) == nullptr').ok()
    assert asked.result == "true" and "/nowhere/libnone.so cannot be loaded" in asked.stderr
