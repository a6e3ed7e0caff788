"""Cell magics that a library adds by xcpp_add_magic: here a small one, loaded by a cell. It keeps the
text of a cell in a variable, as the course's %%cuda does."""

import subprocess
from pathlib import Path

import pytest
from test_program import run as run_as_program

LIBRARY = r"""
#include "xcpp/capi.h"
#include <stdio.h>
#include <string.h>

static const char* translate(const char* name, const char* text, int* failed, void* user) {
    static char code[4096];
    if (strcmp(name, "nothing") == 0) return "";
    if (!*name || strchr(name, ' ')) {
        *failed = 1;
        return "write one name after it, for example %%note shopping";
    }
    snprintf(code, sizeof code,
             "const std::string %s = __FILE__ \":\" + std::to_string(__LINE__) + %s R\"(%s)\";", name,
             (const char*)user, text);
    return code;
}

static const char names[] =
    "#define __much 1\n"
    "// Buys something at a shop.\n"
    "void __buy(int pieces);\n"
    "struct Basket { int apples; };\n";

__attribute__((constructor)) static void add(void) {
    xcpp_add_magic("%%note", "%%note NAME", "keeps the text", translate, "\" note: \"", names);
    xcpp_add_magic("%%plain", "%%plain NAME", "the same", translate, "\" plain: \"", 0);
}

int refused(const char* name) {
    return xcpp_add_magic(name, "", "", translate, "", 0) == -1;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "note.c").write_text(LIBRARY)
    headers = Path(__file__).resolve().parents[2] / "jupyter_kernel/include"
    subprocess.run([
        "clang-19", "-shared", "-fPIC", f"-I{headers}", folder / "note.c", "-o",
        folder / "libnote.so"
    ], check=True)
    return f'#pragma cling load("{folder}/libnote.so")'


@pytest.fixture
def loaded(kernel, library):
    kernel.run(library).ok()
    return kernel


def test_the_librarys_cpp_takes_the_place_of_the_cell(loaded):
    count = loaded.run("%%note list\nmilk\n\"eggs\"").ok().count
    text = loaded.value("list")
    assert text == rf'"In[{count}]:1 note: milk\n\"eggs\""'
    loaded.run("%%note list\ncoffee").ok()
    loaded.run("%undo").ok()
    assert loaded.value("list") == text
    again = loaded.run("// a comment first\n%%note list\ntea").ok().count  # replaces the name
    assert loaded.value("list") == f'"In[{again}]:2 note: tea"'
    assert loaded.run("abort();").ename == "Crash"
    assert "tea" in loaded.value("list")
    loaded.run("%%note after_the_crash\nx").ok()
    loaded.run("%%note nothing\nx").ok()  # no C++ at all


def test_a_cell_that_the_library_refuses(loaded):
    result = loaded.run("%%note two words\nx")
    assert result.ename == "MagicError"
    assert result.evalue == "%%note: write one name after it, for example %%note shopping"
    result = loaded.run("%%note 7\nx")  # C++ that does not compile is an error of the cell's first line
    assert result.ename == "CompileError" and result.evalue.startswith("line 1: ")
    assert "first line" in loaded.run("int x = 1;\n%%note later\ny").evalue


def test_lists_and_errors_name_it(loaded):
    assert "%%note NAME                       keeps the text" in loaded.run("%lsmagic").stdout
    assert "did you mean %%note?" in loaded.run("%note x").evalue
    assert "did you mean %%note?" in loaded.run("%%ntoe x").evalue
    assert loaded.request("complete_request", {"code": "%%no", "cursor_pos": 4})["matches"] == ["%%note"]
    assert loaded.request("is_complete_request", {"code": "%%note x\nf("})["status"] == "complete"


@pytest.mark.parametrize("name", ["note", "%note", "%%", "%%%note", "%%no te", "%%file"])
def test_names_that_a_magic_cannot_have(loaded, name):
    loaded.run('extern "C" int refused(const char*);').ok()
    assert loaded.value(f'refused("{name}")') == "1"


def complete(kernel, code):
    return kernel.request("complete_request", {"code": code, "cursor_pos": len(code)})["matches"]


def test_its_text_is_completed_with_the_librarys_names(loaded):
    loaded.run("#include <stdio.h>\nint apples_of_a_cell = 1;\n#define APPLES_OF_A_CELL").ok()
    start = "%%note x\n#include <no/such/file>\nvoid shop(int pieces, Basket basket) {\n    int price = 2;\n    "
    assert complete(loaded, start + "basket.") == ["apples"]
    assert complete(loaded, start + "pri")[0] == "price"
    assert complete(loaded, start + "sho")[0] == "shop"
    assert complete(loaded, start + "buy")[0] == "__buy"
    assert complete(loaded, start + "__mu") == ["__much"]
    assert complete(loaded, start + "std::unordered_multim") == ["unordered_multimap"]
    for foreign in ("apples_of", "APPLES_OF", "open_mem"):  # of another cell, of a header
        assert complete(loaded, start + foreign) == []
    assert complete(loaded, start + "// pri") == []
    assert complete(loaded, "%%no") == ["%%note"] and complete(loaded, "%%note pri") == []
    assert complete(loaded, start.replace("note", "plain") + "pri") == []
    assert "__buy" not in complete(loaded, "void shop() { __bu")  # not outside of such a cell


def test_its_text_is_inspected(loaded):
    code = "%%note x\nvoid shop(int pieces) {\n    __buy(pieces);\n}"
    for word, says in (("__buy", "void buy(int pieces)\n    Buys something at a shop.\n"),
                       ("pieces)", "int pieces\n    declared in this cell\n")):
        reply = loaded.request("inspect_request", {
            "code": code,
            "cursor_pos": code.rindex(word) + 2,
            "detail_level": 0
        })
        assert reply["found"] and reply["data"]["text/plain"] == says


def test_the_program_of_a_cell_has_the_name(loaded, tmp_path):
    loaded.run("%%note list\nmilk").ok()
    loaded.run(f"%%executable {tmp_path}/shop\n#include <iostream>\nint main() {{ std::cout << list; }}").ok()
    assert " note: milk" in loaded.run(f"!{tmp_path}/shop").ok().stdout


def test_a_program_of_the_notebook_has_the_same_text(library, tmp_path):
    _, ran = run_as_program(tmp_path, "#include <iostream>", library, "%%note list\nmilk\n",
                            'std::cout << list;')
    assert ran.stdout == "lesson.ipynb, code cell 3:1 note: milk\n"


def test_without_the_library_there_is_no_such_magic(with_config):
    def without_libraries_of_the_course(config):
        config["libraries"] = [path for path in config["libraries"] if "lanes" not in path]

    kernel = with_config(without_libraries_of_the_course)
    assert kernel.run("%%cuda text\nx").ename == "UnknownMagic"
    assert "%%cuda" not in kernel.run("%lsmagic").stdout
