"""Every rule is tested with a tree that breaks it and one that follows it."""

import pytest
import rules

HEADER = "#pragma once\n"
CODE = "int a;\n"


def include(name):
    return f'#include "{name}"\n'


# rule, a tree that breaks it, a tree that keeps it
CASES = [
    (rules.modules_are_known, {"src/attic/a.cpp": CODE}, {"src/nn/a.cpp": CODE}),
    (rules.modules_include_one_way,
     {"include/lanes/base/a.hpp": include("lanes/array.hpp"), "include/lanes/array.hpp": ""},
     {"include/lanes/array/a.hpp": include("lanes/base.hpp"), "include/lanes/base.hpp": ""}),
    (rules.modules_include_one_way,
     {"include/lanes/base.hpp": "#  include <lanes/nn/a.hpp>\n", "include/lanes/nn/a.hpp": ""},
     {"include/lanes/base.hpp": include("lanes/base/a.hpp"), "include/lanes/base/a.hpp": ""}),
    # relative includes are resolved, too
    (rules.modules_include_one_way,
     {"src/base/a.cpp": include("../nn/b.hpp"), "src/nn/b.hpp": ""},
     {"src/nn/a.cpp": include("../base/b.hpp"), "src/base/b.hpp": ""}),
    # and includes from the root of src
    (rules.modules_include_one_way,
     {"src/base/a.cpp": include("nn/b.hpp"), "src/nn/b.hpp": ""},
     {"src/nn/a.cpp": include("nn/b.hpp"), "src/nn/b.hpp": ""}),
    # a file beside the including one is found first
    (rules.modules_include_one_way,
     {"src/base/a.cpp": include("gpu/b.hpp"), "src/gpu/b.hpp": ""},
     {"src/base/a.cpp": include("gpu/b.hpp"), "src/gpu/b.hpp": "", "src/base/gpu/b.hpp": ""}),
    (rules.modules_include_one_way,
     {"src/notebook/a.cpp": include("lanes/exercises.hpp")},
     {"exercises/max/check.cpp": include("lanes/exercises.hpp")}),
    (rules.quoted_includes_exist,
     {"src/nn/a.cpp": include("../b.hpp")},
     {"src/nn/a.cpp": include("../b.hpp") + "// " + include("../c.hpp"), "src/b.hpp": ""}),
    (rules.quoted_includes_exist,
     {"jupyter_kernel/session/a.cpp": include("session/b.hpp")},
     {"jupyter_kernel/session/a.cpp": include("session/b.hpp"), "jupyter_kernel/session/b.hpp": ""}),
    (rules.quoted_includes_exist,
     {"src/nn/a.cpp": include("lanes/b.hpp")},
     {"src/nn/a.cpp": include("lanes/b.hpp") + "#include <png.h>\n", "include/lanes/b.hpp": ""}),
    (rules.folders_include_one_way,
     {"src/gpu/a/a.hpp": include("gpu/b/b.hpp"), "src/gpu/b/b.hpp": "",
      "src/gpu/b/c.hpp": include("gpu/a/d.hpp"), "src/gpu/a/d.hpp": ""},
     {"src/gpu/a/a.hpp": include("gpu/b/b.hpp"), "src/gpu/b/b.hpp": include("c.hpp"),
      "src/gpu/b/c.hpp": ""}),
    # the Jupyter kernel has one root, too
    (rules.folders_include_one_way,
     {"jupyter_kernel/session/a/a.hpp": include("session/b/b.hpp"),
      "jupyter_kernel/session/b/b.hpp": include("session/a/c.hpp"),
      "jupyter_kernel/session/a/c.hpp": ""},
     {"jupyter_kernel/session/a/a.hpp": include("session/b/b.hpp"),
      "jupyter_kernel/session/b/b.hpp": include("c.hpp"), "jupyter_kernel/session/b/c.hpp": ""}),
    (rules.kernel_folders_include_one_way,
     {"jupyter_kernel/session/text/a.cpp": include("session/magics/b.hpp"),
      "jupyter_kernel/session/magics/b.hpp": ""},
     {"jupyter_kernel/session/magics/a.cpp": include("session/text/b.hpp") + include("xcpp/c.h"),
      "jupyter_kernel/session/text/b.hpp": "", "jupyter_kernel/include/xcpp/c.h": ""}),
    (rules.kernel_folders_include_one_way,
     {"jupyter_kernel/session/attic/a.cpp": include("session/base/b.hpp"),
      "jupyter_kernel/session/base/b.hpp": ""},
     {"jupyter_kernel/session/main.cpp": include("session/base/b.hpp"),
      "jupyter_kernel/session/base/b.hpp": ""}),
    # a circle of three, one of them by way of a relative include
    (rules.folders_include_one_way,
     {"src/gpu/a/a.hpp": include("gpu/b/b.hpp"), "src/gpu/b/b.hpp": include("gpu/c/c.hpp"),
      "src/gpu/c/c.hpp": include("../a/d.hpp"), "src/gpu/a/d.hpp": ""},
     {"src/gpu/a/a.hpp": include("gpu/b/b.hpp"), "src/gpu/b/b.hpp": include("gpu/c/c.hpp"),
      "src/gpu/c/c.hpp": ""}),
    (rules.jupyter_kernel_knows_nothing_of_lanes,
     {"jupyter_kernel/front/a.cpp": include("lanes/base.hpp")},
     {"jupyter_kernel/front/a.cpp": include("wire.hpp")}),
    (rules.jupyter_kernel_knows_nothing_of_lanes,
     {"jupyter_kernel/session/a.cpp": "lanes::Rng rng(1);\n"},
     {"jupyter_kernel/session/a.cpp": "int lanes;\n"}),
    (rules.jupyter_kernel_knows_nothing_of_lanes,
     {"jupyter_kernel/front/a.cpp": 'getenv("LANES_SLOW");\n'},
     {"jupyter_kernel/front/a.cpp": 'getenv("XCPP_SLOW");\n'}),
    (rules.cuda_kernels_include_nothing_of_lanes,
     {"kernels_src/max.cu": include("lanes/base.hpp")},
     {"kernels_src/max.cu": CODE}),
    (rules.one_file_names_the_interpreter,
     {"jupyter_kernel/session/loop.cpp": include("clang/Interpreter/Interpreter.h")},
     {"jupyter_kernel/session/clang/compiler/interpreter_parts.hpp": include("clang/Interpreter/Interpreter.h")}),
    (rules.one_folder_uses_clang,
     {"jupyter_kernel/session/session.cpp": include("clang/AST/Decl.h")},
     {"jupyter_kernel/session/clang/names/a.cpp": include("clang/AST/Decl.h"),
      "jupyter_kernel/session/session.cpp": include("llvm/ADT/StringRef.h")}),
    (rules.one_file_names_nvrtc,
     {"src/gpu/device.cpp": 'dlopen("libnvrtc.so");\n'},
     {"src/gpu/cuda/nvrtc.cpp": 'dlopen("libnvrtc.so");\n'}),
    (rules.one_file_names_nvrtc,
     {"src/gpu/cuda/module.cpp": "nvrtcResult r;\n"},
     {"src/gpu/cuda/module.cpp": "// NVRTC's result\n"}),
    (rules.one_file_names_the_simulators_compiler,
     {"src/gpu/simulator/a.cpp": 'run("clang++-19");\n'},
     {"src/gpu/simulator/compile/compiler.cpp": 'run("clang++-19");\n',
      "src/gpu/simulator/a.cpp": "// as clang++ does\n"}),
    (rules.headers_are_guarded, {"a.hpp": CODE}, {"a.hpp": HEADER}),
    (rules.headers_open_no_namespace,
     {"a.hpp": "using namespace std;\n"},
     {"a.hpp": "// using namespace std\nusing std::swap;\n"}),
    (rules.headers_open_no_namespace,
     {"a.hpp": "namespace {\n"},
     {"a.hpp": "namespace a {\n", "a.cpp": "namespace {\n"}),
    (rules.tests_mirror_the_sources,
     {"src/mlp/augmented/a.cpp": CODE, "tests/unit/nn/a_test.cpp": "", "src/nn/b.hpp": ""},
     {"src/mlp/augmented/a.cpp": CODE, "tests/unit/mlp/augmented/other_test.cpp": ""}),
    (rules.tests_mirror_the_sources,
     {"tests/unit/attic/a_test.cpp": ""},
     {"tests/unit/jupyter_kernel/wire/a_test.cpp": "", "jupyter_kernel/wire/a.cpp": ""}),
    (rules.no_machine_is_named, {"a.sh": "cd /" + "work/here\n"}, {"a.sh": "cd /usr/lib; cd lanes/" + "work/my\n"}),
    (rules.no_machine_is_named, {"a.sh": "cd /" + "home/me\n"}, {"a.sh": "cd /" + "home/student\n"}),
    (rules.no_machine_is_named, {"a.txt": "--index-" + "url=x\n"}, {"a.txt": "index of a url\n"}),
    (rules.commands_in_documents_exist,
     {"Makefile": "lab:\n", "README.md": "    make fly\n\n`make fly`\n"},
     {"Makefile": "lab:\n", "README.md": "`make lab` and we make sure\n"}),
    (rules.commands_in_documents_exist,
     {"Makefile": "lab:\n", "docs/a.md": "cd a && make fly\n"},
     {"Makefile": "lab:\n", "docs/a.md": "cd a && PORT=1 make lab\n"}),
    (rules.links_in_documents_lead_somewhere,
     {"docs/a.md": "[b](b.md)"},
     {"docs/a.md": "[b](../c/b.md#part), [c](../c), ![d](d.png), [e](https://e.org), [f](#f)",
      "c/b.md": "", "docs/d.png": ""}),
    (rules.requirements_are_pinned,
     {"requirements.txt": "a>=1\n", "requirements.lock": "a==1\n"},
     {"requirements.txt": "# x\na_b==1\n", "requirements.lock": "A-b==1\n"}),
    (rules.requirements_are_pinned,
     {"requirements.txt": "a==2\n", "requirements.lock": "a==1\n"},
     {"requirements.txt": "", "requirements.lock": ""}),
    (rules.requirements_are_pinned,
     {"requirements.txt": "a==2\n", "requirements.lock": ""},
     {"requirements.txt": "a==2\n", "requirements.lock": "a==2\nb==3\n"}),
    (rules.requirements_are_pinned,
     {"requirements-book.txt": "a==2\n", "requirements-book.lock": "a==1\n"},
     {"requirements-book.txt": "a==2\n", "requirements-book.lock": "a==2\n"}),
]


@pytest.mark.parametrize("rule, broken, kept", CASES,
                         ids=lambda value: getattr(value, "__name__", ""))
def test_a_rule_finds_what_breaks_it_and_nothing_else(rule, broken, kept):
    assert rule(broken)
    assert not rule(kept)


def test_every_rule_is_shown_a_tree_that_breaks_it():
    assert {rule for rule, _, _ in CASES} == set(rules.RULES)
