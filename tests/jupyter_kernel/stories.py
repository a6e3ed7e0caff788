"""Stories: a few cells and what each must show, as plain text.

    int f() { return 1; }
    f()
    => 1
    ---
    f(2)
    !! CompileError: no matching function

`---` ends a cell. A line that begins with `=> ` is the cell's value (text/plain), `>> ` a line of stdout, `!! ENAME: REGEX` an error (the regex is searched
in evalue and traceback), `~> REGEX` a regex for the value. Cells with neither `!!` must end well; without `=>` they must have no value.
"""
import re
import textwrap


def cells_of(story):
    for part in re.split(r"(?m)^---$", textwrap.dedent(story).strip("\n")):
        code, expected = [], []
        for line in part.strip("\n").split("\n"):
            (expected if re.match(r"(=>|>>|!!|~>)( |$)", line) else code).append(line)
        yield "\n".join(code), expected


def play(kernel, story):
    for code, expected in cells_of(story):
        result = kernel.run(code)
        errors = [line[3:] for line in expected if line.startswith("!!")]
        if errors:
            ename, _, pattern = errors[0].partition(": ")
            assert result.status == "error", f"an error {ename} was expected\n{result}"
            assert re.fullmatch(ename, result.ename), f"ename {result.ename!r}, expected {ename!r}\n{result}"
            text = result.evalue + "\n" + result.traceback
            assert re.search(pattern, text), f"{pattern!r} is not in\n{text}"
        else:
            result.ok()
        assert result.stderr == "", f"unexpected stderr {result.stderr!r} of\n{code}"
        printed = "".join(line[3:] + "\n" for line in expected if line.startswith(">>"))
        assert result.stdout.rstrip("\n") == printed.rstrip("\n"), f"stdout of\n{code}\nis {result.stdout!r}, expected {printed!r}"
        values = [line for line in expected if line[:2] in ("=>", "~>")]
        if not values:
            assert result.result is None, f"no value was expected of\n{code}\ngot {result.result!r}"
        elif values[0].startswith("=>"):
            assert result.result == values[0][3:], f"value of\n{code}\nis {result.result!r}, expected {values[0][3:]!r}"
        else:
            assert result.result and re.fullmatch(values[0][3:], result.result, re.S), f"value of\n{code}\nis {result.result!r}, expected {values[0][3:]!r}"
