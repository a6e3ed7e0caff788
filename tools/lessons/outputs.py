"""Runs solution notebooks from top to bottom and stores what they show, in canonical form: the one way in which outputs come into the repository.

    python -m lessons.outputs [notebooks/solutions/NAME.ipynb …]     all of them where none is named

Each runs in an empty folder of its own (no my/ of another notebook, nothing left behind), with CI set: smaller repeats, no times in the outputs. A cell that fails
without the tag raises-exception stops the run and nothing is stored; so does one with the tag that does not fail.
"""

import os
import pathlib
import sys
import tempfile
import time

import nbclient

from .form import normalize, read, solutions, write


class Failed(Exception):
    pass


def tags(cell):
    return cell.metadata.get("tags", [])


def errors(cell):
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


def describe(cell, error):
    where = cell.source.split("\n")[0]
    return f"cell [{cell.execution_count}] '{where}': {error.ename}: {error.evalue}"


def run(notebook, folder, until=lambda cell: False, timeout=600):
    """Runs the cells up to and including the first one for which `until` holds, and says how long each took. Raises Failed at a failure that is not expected,
    or that is and does not come; the notebook then holds the outputs so far."""
    client = nbclient.NotebookClient(notebook,
                                     kernel_name="xcpp17",
                                     timeout=timeout,
                                     resources={"metadata": {
                                         "path": str(folder)
                                     }},
                                     allow_errors=True,
                                     record_timing=False)
    seconds = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with client.setup_kernel(env={**os.environ, "CI": "1"}):
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type != "code":
                continue
            start = time.monotonic()
            client.execute_cell(cell, index)
            seconds.append((time.monotonic() - start, cell))
            failed = errors(cell)
            if failed and "raises-exception" not in tags(cell):
                raise Failed(describe(cell, failed[0]))
            if not failed and "raises-exception" in tags(cell):
                raise Failed(
                    f"cell [{cell.execution_count}] has the tag raises-exception and has not failed:\n{cell.source}"
                )
            if until(cell):
                break
    return seconds


def store(path):
    notebook = normalize(read(path))
    with tempfile.TemporaryDirectory() as folder:
        seconds = run(notebook, folder)
    path.write_text(write(normalize(notebook)), encoding="utf-8")
    slowest = max(seconds, key=lambda item: item[0], default=(0, None))
    line = f"{path.name}: {len(seconds)} cells, {sum(item[0] for item in seconds):.1f} s"
    return line + (f", the slowest [{slowest[1].execution_count}] {slowest[0]:.1f} s"
                   if slowest[1] else "")


def main():
    status = 0
    for path in [pathlib.Path(name) for name in sys.argv[1:]] or solutions():
        try:
            print(store(path), flush=True)
        except Failed as failure:
            print(f"{path.name}: nothing stored. {failure}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
