"""Every rule is shown a tree that breaks it, and one that does not."""

import pytest
import rules

HEADER = "#pragma once\n"

CASES = [
    # rule, a tree that breaks it, a tree that keeps it
    (rules.includes_go_one_way, {
        "include/lanes/base/a.hpp": '#include "lanes/array.hpp"\n'
    }, {
        "include/lanes/array/a.hpp": '#include "lanes/base.hpp"\n'
    }),
    (rules.includes_go_one_way, {
        "include/lanes/base.hpp": '#  include <lanes/nn/net.hpp>\n'
    }, {
        "include/lanes/base.hpp": '#include "lanes/base/error.hpp"\n'
    }),
    (rules.includes_go_one_way, {
        "src/parallel/pool.cpp": '#include "lanes/array/types.hpp"\n'
    }, {
        "src/data/idx.cpp": '#include "lanes/parallel.hpp"\n'
    }),
    (rules.includes_go_one_way, {
        "src/attic/a.cpp": "int a;\n"
    }, {
        "src/nn/a.cpp": "int a;\n"
    }),
    (rules.jupyter_kernel_knows_nothing_of_lanes, {
        "jupyter_kernel/front/a.cpp": '#include "lanes/base.hpp"\n'
    }, {
        "jupyter_kernel/front/a.cpp": '#include "wire.hpp"\n'
    }),
    (rules.jupyter_kernel_knows_nothing_of_lanes, {
        "jupyter_kernel/session/a.cpp": "lanes::Rng rng(1);\n"
    }, {
        "jupyter_kernel/session/a.cpp": "int lanes;\n"
    }),
    (rules.cuda_kernels_include_nothing_of_lanes, {
        "kernels_src/max.cu": '#include "lanes/base.hpp"\n'
    }, {
        "kernels_src/max.cu": "int a;\n"
    }),
    (rules.one_file_names_the_interpreter, {
        "jupyter_kernel/session/loop.cpp": '#include "clang/Interpreter/Interpreter.h"\n'
    }, {
        "jupyter_kernel/session/interpreter_parts.hpp":
        '#include "clang/Interpreter/Interpreter.h"\n'
    }),
    (rules.one_file_names_nvrtc, {
        "src/gpu/device.cpp": 'dlopen("libnvrtc.so");\n'
    }, {
        "src/gpu/cuda/nvrtc.cpp": 'dlopen("libnvrtc.so");\n'
    }),
    (rules.one_file_names_nvrtc, {
        "src/gpu/cuda/module.cpp": "nvrtcResult r;\n"
    }, {
        "src/gpu/cuda/module.cpp": "// NVRTC's result\n"
    }),
    (rules.one_file_names_the_simulators_compiler, {
        "src/gpu/simulator/a.cpp": 'run("clang++-19");\n'
    }, {
        "src/gpu/simulator/compiler.cpp": 'run("clang++-19");\n',
        "src/gpu/simulator/a.cpp": "// as clang++ does\n"
    }),
    (rules.headers_are_guarded, {
        "a.hpp": "int a;\n"
    }, {
        "a.hpp": HEADER
    }),
    (rules.headers_open_no_namespace, {
        "a.hpp": "using namespace std;\n"
    }, {
        "a.hpp": "// using namespace std\nusing std::swap;\n"
    }),
    (rules.headers_open_no_namespace, {
        "a.hpp": "namespace {\n"
    }, {
        "a.hpp": "namespace a {\n",
        "a.cpp": "namespace {\n"
    }),
    (rules.every_header_has_its_test, {
        "include/lanes/base/a.hpp": HEADER
    }, {
        "include/lanes/base/a.hpp": HEADER,
        "tests/unit/base/a_test.cpp": ""
    }),
    (rules.prose_says_which_kernel, {
        "a.md": "Start the kernel.\n"
    }, {
        "a.md":
        "Start the Jupyter kernel, or two CUDA\nkernels. `kernel` is code, kernel.json a file.\n```\nkernel\n```\n"
    }),
    (rules.prose_says_which_kernel, {
        "a.hpp": "int a;  // of the kernel\n"
    }, {
        "a.hpp": "int kernel;  // of the CUDA kernel\n"
    }),
    (rules.names_say_which_kernel, {
        "kernel/a.cpp": ""
    }, {
        "jupyter_kernel/a.cpp": ""
    }),
    (rules.names_say_which_kernel, {
        "a.hpp": "class Kernel {\n"
    }, {
        "a.hpp": "class CudaKernel {\n"
    }),
    (rules.no_machine_is_named, {
        "a.sh": "cd /" + "work/here\n"
    }, {
        "a.sh": "cd /usr/lib\n"
    }),
    (rules.no_machine_is_named, {
        "a.txt": "--index-" + "url=x\n"
    }, {
        "a.txt": "index of a url\n"
    }),
    (rules.nothing_is_left_for_later, {
        "a.py": "# TO" + "DO\n"
    }, {
        "a.py": "# done\n"
    }),
    (rules.readme_commands_exist, {
        "Makefile": "lab:\n",
        "README.md": "    make fly\n\n`make fly`\n"
    }, {
        "Makefile": "lab:\n",
        "README.md": "`make lab` and we make sure\n"
    }),
    (rules.readme_commands_exist, {
        "Makefile": "lab:\n",
        "README.md": "cd a && make fly\n"
    }, {
        "Makefile": "lab:\n",
        "README.md": "cd a && PORT=1 make lab\n"
    }),
    (rules.requirements_are_pinned, {
        "requirements.txt": "a>=1\n",
        "requirements.lock": "a==1\n"
    }, {
        "requirements.txt": "# x\na_b==1\n",
        "requirements.lock": "A-b==1\n"
    }),
    (rules.requirements_are_pinned, {
        "requirements.txt": "a==2\n",
        "requirements.lock": "a==1\n"
    }, {
        "requirements.txt": "",
        "requirements.lock": ""
    }),
    (rules.requirements_are_pinned, {
        "requirements.txt": "a==2\n",
        "requirements.lock": ""
    }, {
        "requirements.txt": "a==2\n",
        "requirements.lock": "a==2\nb==3\n"
    }),
]


@pytest.mark.parametrize("rule, broken, kept",
                         CASES,
                         ids=lambda value: getattr(value, "__name__", ""))
def test_a_rule_bites_and_only_then(rule, broken, kept):
    assert rule(broken)
    assert not rule(kept)
