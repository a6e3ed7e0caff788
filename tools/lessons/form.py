"""The canonical form of a notebook: the same notebook always has the same text, so that a diff
shows only what somebody has changed."""

import pathlib

import nbformat

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOLUTIONS = ROOT / "notebooks/solutions"

KERNELSPEC = {"display_name": "C++17", "language": "C++17", "name": "xcpp17"}
LANGUAGE = {
    "codemirror_mode": "text/x-c++src",
    "file_extension": ".cpp",
    "mimetype": "text/x-c++src",
    "name": "c++",
    "nbconvert_exporter": "",
    "pygments_lexer": "c++",
    "version": "17"
}
CELL_METADATA = ("deletable", "editable", "jupyter", "nbgrader", "nbval_reason", "tags"
                 )  # the rest is the front end's own state: folding, scrolling, times


def solutions():
    return sorted(SOLUTIONS.glob("*.ipynb"))


def lessons():
    """The notebooks as they are handed out; these are always there, the solutions are not."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def read(path):
    return nbformat.read(path, as_version=4)


def joined(outputs):
    """Joins text that came in several messages: where it is divided depends on timing."""
    result = []
    for output in outputs:
        if result and output.output_type == "stream" == result[
                -1].output_type and output.name == result[-1].name:
            result[-1].text += output.text
        else:
            result.append(output)
    return result


def without_widgets(output):
    """A widget exists only in one session, under a random name: its text is stored instead."""
    if "data" in output:
        output.data.pop("application/vnd.jupyter.widget-view+json", None)
    return output


def normalize(notebook):
    """Changes the notebook; what a cell prints and shows stays the same."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": LANGUAGE})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for cell in notebook.cells:
        cell.source = "\n".join(line.rstrip() for line in cell.source.strip("\n").split("\n"))
        cell.metadata = nbformat.from_dict(
            {key: cell.metadata[key]
             for key in CELL_METADATA
             if key in cell.metadata})
        if cell.cell_type != "code":
            continue
        # Numbered as in one run from top to bottom, even if cells were run again.
        if cell.execution_count is not None:
            count += 1
            cell.execution_count = count
        cell.outputs = [without_widgets(output) for output in joined(cell.outputs)]
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = cell.execution_count
    return notebook


def write(notebook):
    """The text of the file: keys sorted, a newline at the end."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def canonical(path):
    return write(normalize(read(path)))
