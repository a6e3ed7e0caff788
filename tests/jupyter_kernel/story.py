"""Stories: a few cells and what each must show, as plain text in stories/*/*.txt. A new story is a heading and its cells:

    == function ==
    int f() { return 1; }
    f()
    => 1
    ---
    f(2)
    !! CompileError: no matching function

`---` ends a cell. `=> TEXT` is the cell's value (text/plain), `~> REGEX` a regex for it, `>> TEXT` a line of stdout, `!! ENAME: REGEX` an error (the regex is
searched in evalue and traceback). A cell without `!!` must end well, one without `=>` or `~>` must have no value. What `%%file` says is not looked at.
"""

import re
import textwrap
from pathlib import Path

EXPECTATION = re.compile(r"(=>|>>|!!|~>)( |$)")


def read_stories(folder):
    """{name: text} of the stories in stories/folder, the file's name first: "functions: default arguments"."""
    stories = {}
    for path in sorted((Path(__file__).parent / "stories" / folder).glob("*.txt")):
        parts = re.split(r"(?m)^== (.+) ==\n", path.read_text())
        for name, text in zip(parts[1::2], parts[2::2]):
            assert f"{path.stem}: {name}" not in stories, f"{path.name} has two stories called {name!r}"
            stories[f"{path.stem}: {name}"] = text
    return stories


def cells_of(story):
    """(code, expectations) of each cell."""
    for part in re.split(r"(?m)^---$", textwrap.dedent(story).strip("\n")):
        lines = part.strip("\n").split("\n")
        yield "\n".join(line for line in lines if not EXPECTATION.match(line)), [
            line for line in lines if EXPECTATION.match(line)
        ]


def play(kernel, story):
    for code, expected in cells_of(story):
        if code.startswith("%%file "):
            kernel.run(code).ok()
            continue
        check(
            kernel.run(code), {
                mark: [line[3:]
                       for line in expected
                       if line.startswith(mark)]
                for mark in ("=>", "~>", ">>", "!!")
            })


def check(result, expected):
    code = result.code
    if expected["!!"]:
        ename, _, pattern = expected["!!"][0].partition(": ")
        assert result.status == "error", f"an error {ename} was expected\n{result}"
        assert re.fullmatch(ename,
                            result.ename), f"ename {result.ename!r}, expected {ename!r}\n{result}"
        assert re.search(
            pattern, result.evalue + "\n" +
            result.traceback), f"{pattern!r} is not in\n{result.evalue}\n{result.traceback}"
    else:
        result.ok()
    assert result.stderr == "", f"unexpected stderr {result.stderr!r} of\n{code}"
    printed = "\n".join(expected[">>"])
    assert result.stdout.rstrip(
        "\n") == printed, f"stdout of\n{code}\nis {result.stdout!r}, expected {printed!r}"
    if expected["=>"]:
        assert result.result == expected["=>"][
            0], f"value of\n{code}\nis {result.result!r}, expected {expected['=>'][0]!r}"
    elif expected["~>"]:
        assert result.result and re.fullmatch(
            expected["~>"][0], result.result
        ), f"value of\n{code}\nis {result.result!r}, expected {expected['~>'][0]!r}"
    else:
        assert result.result is None, f"no value was expected of\n{code}\ngot {result.result!r}"
