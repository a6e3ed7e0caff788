"""What a student's notebook has in place of a solution: code that compiles and, when it is called,
says what is to be filled in.

    // BEGIN SOLUTION: one line          the name is the cell's grade_id
    // BEGIN SOLUTION max_kernel: …      or the one that is given, which may be MyQueue::put
    …
    // END SOLUTION

In host code the stub throws, which compiles for every return type. In CUDA text (a cell that begins
with %%cuda, or a raw string) it is an #error, for the compiler of CUDA code."""

import re

from nbgrader import utils
from nbgrader.preprocessors import ClearSolutions
from traitlets import Unicode

BEGIN = re.compile(r"^\s*// BEGIN SOLUTION(?: (?P<name>\w+(?:::\w+)?))?(?:: (?P<hint>.*\S))?\s*$")
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)


def stub(name, hint, in_cuda_text):
    what = f"Fill in {name}" + (f": {hint}" if hint else "") + "."
    if '"' in what or "\\" in what:
        raise ValueError(
            f"{name}: a quotation mark or a backslash in the hint '{hint}' would end up in a "
            "string of C++. Say it without."
        )
    if in_cuda_text:
        return ["// Your code, in place of the next line.", f'#error "{what}"']
    return ["// Your code, in place of the next line.", f'throw lanes::NotFilledIn("{what}");']


def is_cuda_cell(source):
    """A cell of CUDA C++, which C++ cells know as the variable of its first line."""
    return source.startswith("%%cuda")


def is_cuda_text(source, position):
    return is_cuda_cell(source) or any(match.start() < position < match.end()
                                       for match in RAW_STRING.finditer(source))


class FriendlyStubs(ClearSolutions):
    """nbgrader's ClearSolutions with stubs that contain the name of the answer."""

    text_stub = Unicode("*Write your answer here.*")

    def _replace_solution_region(self, cell, language):
        if cell.cell_type != "code":
            return super()._replace_solution_region(cell, language)
        lines, kept, position, inside = cell.source.split("\n"), [], 0, False
        for line in lines:
            begin = BEGIN.match(line)
            if begin:
                if inside:
                    raise ValueError(f"a solution begins inside another one:\n{cell.source}")
                inside = True
                name = begin["name"] or cell.metadata.get("nbgrader", {}).get("grade_id", "this")
                indent = line[:len(line) - len(line.lstrip())]
                kept += [
                    indent + text
                    for text in stub(name, begin["hint"], is_cuda_text(cell.source, position))
                ]
            elif "BEGIN SOLUTION" in line:
                raise ValueError(
                    f"'{line.strip()}' is not of the form '// BEGIN SOLUTION name: hint'")
            elif "END SOLUTION" in line:
                if not inside:
                    raise ValueError(f"a solution ends that has not begun:\n{cell.source}")
                inside = False
            elif not inside:
                kept.append(line)
            position += len(line) + 1
        if inside:
            raise ValueError(f"a solution does not end:\n{cell.source}")
        replaced = kept != lines
        if not replaced and utils.is_solution(cell):
            raise ValueError(f"an answer cell without '// BEGIN SOLUTION':\n{cell.source}")
        cell.source = "\n".join(kept)
        return replaced
