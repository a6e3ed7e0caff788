"""Headers of the user's own that are edited between two cells: stories/redefinition/headers.txt tells what they may hold, here is what surrounds them."""

import subprocess


def write(kernel, name, text):
    (kernel.work / name).write_text(text)


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
    subprocess.run(["clang++-19", "-shared", "-fPIC", "-o", folder / "libheld.so", folder / "held.cpp"], check=True)
    use = '#include "held.hpp"\nin_library(1) + 10 * Held(4).get() + 100 * beside()'
    assert fresh.value(f'#pragma cling load("{folder}/libheld.so")\n' + use) == "142"
    write(fresh, "held.hpp", header + "inline int beside() { return in_library(2) + Held(3).get(); }\n")
    assert fresh.value(use) == "642"


def test_header_from_an_added_folder(kernel, tmp_path):
    header = tmp_path / "added_folder.hpp"
    header.write_text("#pragma once\ninline int from_added() { return 1; }\n")
    assert kernel.value(f'#pragma cling add_include_path("{tmp_path}")\n#include <added_folder.hpp>\nfrom_added()') == "1"
    header.write_text("#pragma once\ninline int from_added() { return 2; }\n")
    assert kernel.value("#include <added_folder.hpp>\nfrom_added()") == "2"


def test_program_reads_the_edited_header_once(fresh):
    write(fresh, "of_program.hpp", "inline int of_program() { return 1; }\n")
    assert fresh.value('#include "of_program.hpp"\nof_program()') == "1"
    write(fresh, "of_program.hpp", "inline int of_program() { return 2; }\n")
    assert fresh.value('#include "of_program.hpp"\nof_program()') == "2"
    fresh.run('%%executable of_program\n#include <cstdio>\nint main() { std::printf("%d\\n", of_program()); }', timeout=60).ok()
    assert fresh.run("!./of_program").ok().stdout.strip() == "2"


def test_crash_in_an_edited_header(kernel):
    write(kernel, "crashes.hpp", "#pragma once\ninline int crashes(int* p) { return *p; }\n")
    kernel.run('#include "crashes.hpp"\nint sound = 4;\ncrashes(&sound)').ok()
    write(kernel, "crashes.hpp", "#pragma once\n\ninline int crashes(int* p) { return *p + 1; }\n")
    result = kernel.run('#include "crashes.hpp"\nint* volatile nowhere = nullptr;\ncrashes(nowhere)')
    assert result.ename == "Crash" and "crashes(nowhere)" in result.traceback, result.traceback
    assert kernel.value('#include "crashes.hpp"\ncrashes(&sound)') == "5"


def test_large_header_that_becomes_short(kernel):
    """clang must not look into the file for the old text: what it wants to show there is gone."""
    filler = "".join(f"// {i:070}\n" for i in range(2000))
    write(kernel, "large.hpp", "#pragma once\n" + filler + "[[deprecated]] inline int far_down(int x) { return x; }\n")
    kernel.run('#include "large.hpp"').ok()
    write(kernel, "large.hpp", "#pragma once\n")
    result = kernel.run("far_down(5)").ok()
    assert result.result == "5" and "deprecated" in result.shown
