"""Headers of the user's own that are edited between two cells: stories/redefinition/headers.txt tells what they may hold, here is what surrounds them."""

import subprocess


def write(kernel, name, text):
    (kernel.work / name).parent.mkdir(exist_ok=True)
    (kernel.work / name).write_text(text)


def header(name, value):
    return f"#pragma once\ninline int {name}() {{ return {value}; }}\n"


# As a notebook asks for an answer of an earlier one, and has another where there is none.
ASK = '#if __has_include("my/answer.hpp")\n#include "my/answer.hpp"\n#else\ninline int answer() { return 0; }\n#endif\nanswer()'


def test_header_that_comes_after_it_was_asked_for(fresh):
    """The folder and the file are written while the session runs, by a cell and by others; written anew, they are read anew."""
    assert fresh.value(ASK) == "0"
    fresh.run(
        '#include <filesystem>\n#include <fstream>\nstd::filesystem::create_directories("my");').ok(
        )
    assert fresh.value(ASK) == "0"
    fresh.run(
        'std::ofstream("my/answer.hpp") << "#pragma once\\ninline int answer() { return 1; }\\n";'
    ).ok()
    assert fresh.value(ASK) == "1"
    write(fresh, "my/answer.hpp", header("answer", 2))
    assert fresh.value(ASK) == "2"
    assert fresh.value('#include "my/answer.hpp"\nanswer()') == "2"
    write(fresh, "my/answer.hpp", header("answer", 3))
    assert fresh.value('#include "my/answer.hpp"\nanswer()') == "3"
    (fresh.work / "my" / "answer.hpp").unlink()
    assert fresh.value(ASK) == "0"


def test_header_that_was_missing(fresh):
    assert fresh.run('#include "my/late.hpp"').ename == "CompileError"
    write(fresh, "my/late.hpp", header("late", 1))
    assert fresh.value('#include "my/late.hpp"\nlate()') == "1"


def test_header_beside_the_notebook_is_found_from_every_folder(fresh):
    write(fresh, "my/answer.hpp",
          '#pragma once\n#include "part.hpp"\ninline int answer() { return part() + 1; }\n')
    write(fresh, "my/part.hpp", header("part", 1))
    write(fresh, "elsewhere/near.hpp", header("near_by", 5))
    write(fresh, "near.hpp", header("near_by", 6))
    assert fresh.value('#include "near.hpp"\nnear_by()') == "6"
    fresh.run("%cd elsewhere").ok()
    assert fresh.value(ASK) == "2"
    assert fresh.value(
        '#include "near.hpp"\nnear_by()') == "5", "that of the working directory comes first"
    write(fresh, "my/part.hpp", header("part", 2))
    assert fresh.value('#include "my/answer.hpp"\nanswer()') == "3"
    fresh.run('#include <unistd.h>\n(void)!chdir("/");').ok()
    write(fresh, "my/answer.hpp", header("answer", 7))
    assert fresh.value(ASK) == "7"
    assert fresh.run("abort();").ename == "Crash"
    write(fresh, "my/answer.hpp", header("answer", 8))
    assert fresh.value(ASK) == "8"


def test_header_that_was_written_again_unchanged_is_not_read_again(kernel):
    text = "#pragma once\ninline int kept_count = 1;\n"
    write(kernel, "unchanged.hpp", text)
    assert kernel.value('#include "unchanged.hpp"\n++kept_count') == "2"
    write(kernel, "unchanged.hpp", text)
    assert kernel.value('#include "unchanged.hpp"\nkept_count') == "2"
    write(kernel, "unchanged.hpp", text + "// a word more\n")
    assert kernel.value('#include "unchanged.hpp"\nkept_count') == "1"


def test_failed_cells_and_undo_bring_the_old_text_back(kernel):
    write(kernel, "back.hpp", "#pragma once\ninline int back() { return 1; }\n")
    assert kernel.value('#include "back.hpp"\nback()') == "1"
    write(kernel, "back.hpp", "#pragma once\ninline int back() { return 2; }\n")
    assert kernel.run('#include "back.hpp"\nabort();').ename == "Crash"
    assert kernel.value("back()") == "1"
    assert kernel.run('#include "back.hpp"\nunknown_name;').ename == "CompileError"
    assert kernel.value("back()") == "1"
    kernel.run('#include "back.hpp"').ok()
    kernel.run("%undo").ok()
    assert kernel.value("back()") == "1"
    assert kernel.value('#include "back.hpp"\nback()') == "2"
    write(kernel, "back.hpp", "#pragma once\ninline int back() { return 3; }\n")
    assert kernel.value('#include "back.hpp"\nback()') == "3"


def test_what_a_library_holds_stays_its_own(fresh):
    """The header of a library is edited: functions and classes that the library defines are still found there."""
    folder = fresh.work
    header = "#pragma once\nint in_library(int);\nclass Held {\npublic:\n    Held(int x);\n    int get() const;\nprivate:\n    int x_;\n};\n"
    write(fresh, "held.hpp", header + "inline int beside() { return 1; }\n")
    write(
        fresh,
        "held.cpp",
        '#include "held.hpp"\nint in_library(int x) { return x + 1; }\nHeld::Held(int x) : x_(x) {}\nint Held::get() const { return x_; }\n',
    )
    subprocess.run(
        ["clang++-19", "-shared", "-fPIC", "-o", folder / "libheld.so", folder / "held.cpp"],
        check=True)
    use = '#include "held.hpp"\nin_library(1) + 10 * Held(4).get() + 100 * beside()'
    assert fresh.value(f'#pragma cling load("{folder}/libheld.so")\n' + use) == "142"
    write(fresh, "held.hpp",
          header + "inline int beside() { return in_library(2) + Held(3).get(); }\n")
    assert fresh.value(use) == "642"


def test_header_of_a_library_without_an_include_guard(fresh):
    """Prototypes and extern variables may be included again: they still mean the library's."""
    declared = ("int bare_plain(int);\nextern int bare_value;\n"
                "namespace bare { int inside(int); extern int value; }\n"
                "extern \"C\" {\nint bare_c(int);\n}\n")
    source = ("int bare_plain(int x) { return x + 1; }\nint bare_value = 20;\n"
              "namespace bare { int inside(int x) { return x + 300; } int value = 4000; }\n"
              'extern "C" int bare_c(int x) { return x + 50000; }\n')
    write(fresh, "bare_declared.h", declared)
    write(fresh, "bare.cpp", source)
    library = fresh.work / "libbare.so"
    subprocess.run(["clang++-19", "-shared", "-fPIC", "-o", library, fresh.work / "bare.cpp"],
                   check=True)
    fresh.run(f'#pragma cling load("{library}")').ok()
    in_spaces = "bare::inside(0) + bare::value + bare_c(0)"
    for _ in range(3):
        assert fresh.value('#include "bare_declared.h"\n'
                           f"bare_plain(0) + bare_value + {in_spaces}") == "54321"
    write(fresh, "bare_both.h", "int bare_plain(int);\nextern int bare_value;\nstruct Both {};\n")
    for _ in range(3):
        assert fresh.value('#include "bare_both.h"\nBoth both;\nbare_plain(0) + bare_value') == "21"


def test_header_from_an_added_folder(kernel, tmp_path):
    header = tmp_path / "added_folder.hpp"
    header.write_text("#pragma once\ninline int from_added() { return 1; }\n")
    assert kernel.value(
        f'#pragma cling add_include_path("{tmp_path}")\n#include <added_folder.hpp>\nfrom_added()'
    ) == "1"
    header.write_text("#pragma once\ninline int from_added() { return 2; }\n")
    assert kernel.value("#include <added_folder.hpp>\nfrom_added()") == "2"


def test_program_reads_the_edited_header_once(fresh):
    write(fresh, "of_program.hpp", "inline int of_program() { return 1; }\n")
    assert fresh.value('#include "of_program.hpp"\nof_program()') == "1"
    write(fresh, "of_program.hpp", "inline int of_program() { return 2; }\n")
    assert fresh.value('#include "of_program.hpp"\nof_program()') == "2"
    fresh.run(
        '%%executable of_program\n#include <cstdio>\nint main() { std::printf("%d\\n", of_program()); }',
        timeout=60).ok()
    assert fresh.run("!./of_program").ok().stdout.strip() == "2"


def test_crash_in_an_edited_header(kernel):
    write(kernel, "crashes.hpp", "#pragma once\ninline int crashes(int* p) { return *p; }\n")
    kernel.run('#include "crashes.hpp"\nint sound = 4;\ncrashes(&sound)').ok()
    write(kernel, "crashes.hpp", "#pragma once\n\ninline int crashes(int* p) { return *p + 1; }\n")
    result = kernel.run(
        '#include "crashes.hpp"\nint* volatile nowhere = nullptr;\ncrashes(nowhere)')
    assert result.ename == "Crash" and "crashes(nowhere)" in result.traceback, result.traceback
    assert kernel.value('#include "crashes.hpp"\ncrashes(&sound)') == "5"


def test_large_header_that_becomes_short(kernel):
    """clang must not look into the file for the old text: what it wants to show there is gone."""
    filler = "".join(f"// {i:070}\n" for i in range(2000))
    write(kernel, "large.hpp",
          "#pragma once\n" + filler + "[[deprecated]] inline int far_down(int x) { return x; }\n")
    kernel.run('#include "large.hpp"').ok()
    write(kernel, "large.hpp", "#pragma once\n")
    result = kernel.run("far_down(5)").ok()
    assert result.result == "5" and "deprecated" in result.shown
