"""C++20 and C++23: kernelspecs beside xcpp17. What they need precompiled is made at the first start, once."""

import json
import subprocess
from pathlib import Path

import pytest
from client import CHECKOUT
from jupyter_client.kernelspec import KernelSpecManager

KERNELS = CHECKOUT / "build/share/jupyter/kernels"
PREPARING = "Preparing c++{} for its first use"

CPP20 = [
    ("__cplusplus >= 202002L", "true"),
    ("#include <concepts>\ntemplate <class T>\nconcept Number = std::integral<T> || std::floating_point<T>;\n"
     "template <Number T> T half(T x) { return x / 2; }\nNumber auto seven = half(14);\nseven", "7"),
    ("struct Version {\n    int major, minor;\n    auto operator<=>(const Version&) const = default;\n};\n"
     "Version{1, 2} <=> Version{1, 3} < 0", "true"),
    ("#include <ranges>\nint sum = 0;\nfor (int x : std::views::iota(1, 6) | std::views::filter([](int n) { return n % 2; })) sum += x;\nsum",
     "9"),
    ("#include <coroutine>\nstruct Counter {\n    struct promise_type {\n        int value = 0;\n"
     "        Counter get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }\n"
     "        std::suspend_always initial_suspend() { return {}; }\n        std::suspend_always final_suspend() noexcept { return {}; }\n"
     "        std::suspend_always yield_value(int n) { value = n; return {}; }\n        void return_void() {}\n"
     "        void unhandled_exception() {}\n    };\n    std::coroutine_handle<promise_type> handle;\n};\n"
     "Counter count_up() { for (int i = 1;; ++i) co_yield i; }\nauto counter = count_up();\ncounter.handle();\ncounter.handle();\n"
     "const int reached = counter.handle.promise().value;\ncounter.handle.destroy();\nreached", "2"),
    ("#include <barrier>\n#include <latch>\n#include <atomic>\n#include <thread>\nstd::atomic<int> arrived = 0;\n{\n    std::barrier meet(2);\n"
     "    std::latch done(2);\n    auto work = [&] { ++arrived; meet.arrive_and_wait(); arrived += arrived >= 2; done.count_down(); };\n"
     "    std::jthread one(work), two(work);\n    done.wait();\n}\narrived.load()", "4"),
    ("constexpr int squared(int x) { return x * x; }\nconsteval int at_compile_time() { return squared(6); }\nat_compile_time()", "36"),
]  # yapf: disable


def manager(folder=KERNELS):
    return KernelSpecManager(kernel_dirs=[str(folder)], ensure_native_kernel=False)


def notes(result):
    return result.stdout + result.stderr + result.shown


MEETING = """%%tsan
#include <barrier>
#include <cstdio>
#include <thread>
int shared = 0;
{{
    std::barrier meet(2);
    std::jthread writer([&] {{ shared = 42; meet.arrive_and_wait(); }});
    {}
    std::printf("%d\\n", shared);
    {}
}}"""


def check_tools(kernel):
    """Programs of cells, and their machine code, are of the session's standard."""
    wait = "meet.arrive_and_wait();"
    right = kernel.run(MEETING.format(wait, ""), timeout=60).ok()
    assert right.stdout == "42\nThe thread sanitizer found nothing in this run.\n"
    wrong = kernel.run(MEETING.format("", wait), timeout=60)
    assert (wrong.ename, wrong.evalue.split(",")[0]) == ("ThreadSanitizer", "data race"), wrong
    count = kernel.run("#include <concepts>\ntemplate <std::integral T>\n[[gnu::noinline]] T thrice(T x) {\n    return 3 * x;\n}\nthrice(2)").ok().count
    listing = kernel.run("%asm thrice").ok().stdout
    assert "thrice<int>(int)" in listing and f"In[{count}]:4      return 3 * x;" in listing, listing


def test_cpp20(make_kernel, tmp_path):
    """With all headers of the course, which the first start compiles; the second one finds them."""
    environment = {"XDG_CACHE_HOME": str(tmp_path)}
    kernel = make_kernel(name="xcpp20", manager=manager(), env=environment)
    assert kernel.request("kernel_info_request")["language_info"]["version"] == "20"
    first = kernel.run("int kept = 5;", timeout=300).ok()
    assert PREPARING.format(20) in notes(first)
    check_tools(kernel)
    for code, value in CPP20:
        assert kernel.value(code) == value, code
    assert kernel.run("kept <=> nowhere").ename == "CompileError"
    assert kernel.value("#include <lanes/array.hpp>\nlanes::Matrix m = xt::ones<float>({2, 2});\nkept + int(xt::sum(m)())") == "9"
    made, = tmp_path.glob("xcpp/*.pch")
    # A session that starts again finds it, and removes nothing.
    kernel.restart()
    assert notes(kernel.run("6 * 7").ok()) == "" and list(tmp_path.glob("xcpp/*.pch")) == [made]


@pytest.fixture
def small(tmp_path):
    """The kernelspecs with a header that compiles in a second."""
    (tmp_path / "small.hpp").write_text('#include "xcpp/preamble.hpp"\n#include "xcpp/xdisplay.hpp"\n#include <vector>\n')
    config = json.loads((CHECKOUT / "build/xcpp17.json").read_text())
    config.update(pch=str(tmp_path / "small.pch"), pch_header=str(tmp_path / "small.hpp"), first_templates="", first_cells="")
    (tmp_path / "config.json").write_text(json.dumps(config))
    for name in "xcpp20", "xcpp23":
        spec = json.loads((KERNELS / name / "kernel.json").read_text())
        spec["argv"][spec["argv"].index("--config") + 1] = str(tmp_path / "config.json")
        (tmp_path / "kernels" / name).mkdir(parents=True)
        (tmp_path / "kernels" / name / "kernel.json").write_text(json.dumps(spec))
    return tmp_path


def test_cpp23_prepared_for_all_users(make_kernel, small):
    program = json.loads((small / "kernels/xcpp23/kernel.json").read_text())["argv"][0]
    made = subprocess.run([program, "--prepare", "-std=c++23", "--config", small / "config.json"],
                          capture_output=True, text=True, check=True)
    assert PREPARING.format(23) in made.stderr
    assert len(list(small.glob("c++23-*.pch"))) == 1
    kernel = make_kernel(name="xcpp23", manager=manager(small / "kernels"), env={"XDG_CACHE_HOME": str(small / "cache")})
    first = kernel.run("__cplusplus > 202002L", timeout=60).ok()
    assert (first.result, notes(first)) == ("true", "")
    assert not (small / "cache").exists()
    assert kernel.value("auto count = 3uz;\nif consteval { count = 0; }\ncount") == "3"
    has_print = "#if __has_include(<print>)\nconst int found = 1;\n#else\nconst int found = 0;\n#endif\nfound"
    check_tools(kernel)
    if kernel.value(has_print) == "1":
        assert kernel.run('#include <print>\nstd::println("{} {}", 1, 2);').ok().stdout == "1 2\n"
    else:
        missing = kernel.run("#include <print>")
        assert missing.ename == "CompileError", missing
        assert "<print> is a header of C++23 that the installed standard library does not have." in missing.traceback


def test_headers_that_do_not_compile_are_no_end(make_kernel, small):
    Path(small / "small.hpp").write_text("#if __cplusplus > 201703L\n#error not for C++20\n#endif\n")
    kernel = make_kernel(name="xcpp20", manager=manager(small / "kernels"), env={"XDG_CACHE_HOME": str(small / "cache")})
    assert kernel.run("6 * 7", timeout=60).ok().result == "42"
    assert not list(small.rglob("*.pch"))


def test_headers_that_other_users_can_write_are_not_used(make_kernel, small):
    folder = small / "cache/xcpp"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    kernel = make_kernel(name="xcpp20", manager=manager(small / "kernels"), env={"XDG_CACHE_HOME": str(small / "cache")})
    first = kernel.run("6 * 7", timeout=60).ok()
    assert first.result == "42" and not list(folder.iterdir())
    assert f"other users may write to its folder): this start and cells that include much are slow. Forbid it: chmod go-w {folder}" in notes(first)
