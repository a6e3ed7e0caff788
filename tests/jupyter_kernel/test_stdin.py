"""std::cin and std::getline ask the front end."""

import pytest


def prompts_of(result):
    return [prompt["prompt"] for prompt in result.prompts]


def test_cin(kernel):
    result = kernel.run("int asked; std::cin >> asked;\nasked * 2", stdin=["21"]).ok()
    assert result.result == "42" and len(result.prompts) == 1


def test_getline_with_a_prompt(kernel):
    result = kernel.run(
        'std::string name; std::cout << "Your name? " << std::flush; std::getline(std::cin, name);\nname',
        stdin=["Ada Lovelace"]).ok()
    assert result.result == '"Ada Lovelace"'
    assert "Your name?" in result.stdout + result.prompts[0]["prompt"]


def test_several_values_on_a_line_and_over_lines(kernel):
    result = kernel.run("int p, q, r; std::cin >> p >> q >> r;\np * 100 + q * 10 + r",
                        stdin=["1 2", "3"]).ok()
    assert result.result == "123" and len(result.prompts) == 2


def test_rest_of_a_line_is_not_kept_for_the_next_cell(kernel):
    kernel.run("int only_one; std::cin >> only_one;", stdin=["1 2 3"]).ok()
    result = kernel.run("int another; std::cin >> another;\nanother", stdin=["9"]).ok()
    assert result.result in ("9", "2")
    assert kernel.value("40 + 2") == "42"


def test_unicode_input(kernel):
    assert kernel.value("std::string typed; std::getline(std::cin, typed);\ntyped",
                        stdin=["größe 😀"]) == '"größe 😀"'


def test_a_line_may_be_long(kernel):
    """A pasted table: 64 kB were the limit once."""
    numbers = " ".join(str(i) for i in range(40000))
    assert len(numbers) > 200_000
    result = kernel.run("long sum = 0; for (int i = 0, n; i < 40000; ++i) { std::cin >> n; sum += n; }\nsum",
                        stdin=[numbers]).ok()
    assert result.result == str(sum(range(40000))) and len(result.prompts) == 1


def test_wrong_input_fails_as_in_any_program(kernel):
    assert kernel.value("int number = 7; std::cin >> number;\nstd::cin.fail()",
                        stdin=["word"]) == "true"
    assert kernel.value("int fine_again; std::cin >> fine_again;\nfine_again", stdin=["5"]) == "5"


@pytest.mark.parametrize("end", ["\x04", "^D"], ids=["the character", "typed"])
def test_end_of_input(kernel, end):
    """jupyter_client's console sends the character when the user presses Ctrl-D; a browser cannot."""
    result = kernel.run("int lines = 0;\nfor (std::string line; std::getline(std::cin, line);) ++lines;\nlines",
                        stdin=["1 2", "3", end]).ok()
    assert result.result == "2" and prompts_of(result) == ["", "(^D ends the input) ", "(^D ends the input) "]
    again = kernel.run("int after; std::cin >> after;\nafter", stdin=["5"]).ok()
    assert again.result == "5" and prompts_of(again) == [""]


def test_input_not_allowed(kernel):
    result = kernel.run("int wanted; std::cin >> wanted;")
    assert result.ename == "InputNotAllowed" and result.evalue


def test_c_finds_no_input_and_a_hint_names_cin(fresh):
    result = fresh.run('#include <cstdio>\nint scanned = 3;\nscanf("%d", &scanned)').ok()
    assert result.result == "-1" and "std::cin and std::getline ask for it" in result.shown
    assert fresh.run("scanned").shown == "", "it is said once"


def test_interrupted_input_request(kernel):
    """The late answer is not taken for the next prompt's."""
    result = kernel.run("std::string line; std::getline(std::cin, line);",
                        stdin=[None],
                        interrupt_after=0.5)
    assert result.ename == "Interrupted"
    late = {"header": {"msg_id": "late"}, "parent_header": {}, "metadata": {}, "content": {}}
    kernel.answer("too late", late)
    assert kernel.value(
        "std::string second_line; std::getline(std::cin, second_line);\nsecond_line",
        stdin=["in time"]) == '"in time"'


def test_input_from_the_c_interface(kernel):
    result = kernel.run(
        '#include "xcpp/capi.h"\nchar line_of_input[64];\nint got = xcpp_input("prompt: ", line_of_input, sizeof line_of_input);\nstd::to_string(got) + line_of_input',
        stdin=["typed"],
    ).ok()
    assert result.result == '"0typed"' and result.prompts == [{
        "prompt": "prompt: ",
        "password": False
    }]
    assert kernel.value('xcpp_input("", line_of_input, sizeof line_of_input)') == "-1"


def test_another_thread_displays_while_a_cell_waits_for_input(kernel):
    kernel.run('#include <thread>\n#include <unistd.h>\n#include "xcpp/capi.h"').ok()
    shown = []

    def answer(prompt):
        shown.extend(kernel.drain(20, until=lambda m: m["msg_type"] == "display_data"))
        return "5"

    message = kernel.submit(
        "std::thread other([] { usleep(200000); xcpp_publish(\"display_data\", R\"({\"data\": {\"text/plain\": \"from a thread\"}})\", \"\"); });\n"
        "int number = 0; std::cin >> number; other.join();",
        allow_stdin=True)
    result = kernel.wait(message, stdin=answer)
    assert result.status == "ok" and "from a thread" in str(shown), shown
