"""Runs solution notebooks from top to bottom and stores their outputs, in canonical form. All
outputs in the repository are made in this way.

    python -m lessons.outputs [notebooks/solutions/NAME.ipynb …]     default: all of them

Each notebook runs in its own empty folder (it finds no my/ of another notebook, and leaves nothing
behind), with CI set, so that progress is plain text, and with LANES_FULL, so that measurements are
repeated as often as for a student. If a cell fails without the tag raises-exception, or has the tag
and does not fail, the run stops and nothing is stored. Plots and drawings are stored with a PNG,
for sites that show notebooks without running JupyterLab."""

import os
import pathlib
import re
import sys
import tempfile
import time

import nbclient

from .form import normalize, read, solutions, write
from .pictures import add_pictures


class Failed(Exception):
    pass


def tags(cell):
    return cell.metadata.get("tags", [])


def errors(cell):
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


def describe(cell, error):
    where = cell.source.split("\n")[0]
    return f"cell [{cell.execution_count}] '{where}': {error.ename}: {error.evalue}"


def run(notebook, folder, until=lambda cell: False, timeout=600, full=False):
    """Runs the cells up to and including the first one for which `until` is true, and returns how
    long each took. Raises Failed if a cell fails unexpectedly, or does not fail as expected; the
    notebook then holds the outputs so far."""
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
    environment = {**os.environ, "CI": "1", **({"LANES_FULL": "1"} if full else {})}
    with client.setup_kernel(env=environment):
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
                raise Failed(f"cell [{cell.execution_count}] has the tag raises-exception and has "
                             f"not failed:\n{cell.source}")
            if until(cell):
                break
    return seconds


def without_host_name(notebook):
    """mpirun says on which machine a rank has died: that of a student has another name."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                output.text = re.sub(r"\bon node \S+", "on node localhost", output.text)
    return notebook


def store(path):
    notebook = normalize(read(path))
    with tempfile.TemporaryDirectory() as folder:
        seconds = run(notebook, folder, full=True)
    without_host_name(notebook)
    path.write_text(write(add_pictures(normalize(notebook))), encoding="utf-8")
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
