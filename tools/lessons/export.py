"""Notebooks as pages for any browser, with all pictures and formulas inside: build/html/NAME.html.

    python -m lessons.export notebooks/NAME.ipynb …"""

import pathlib
import sys

from .form import ROOT, read
from .formulas import WITHOUT_SCRIPTS, Page
from .pictures import add_pictures

FOLDER = ROOT / "build/html"


def html(notebook, title, **settings):
    """The page of a notebook. Plots and drawings become PNG in the given notebook, too."""
    page = Page(embed_images=True, raw_template=WITHOUT_SCRIPTS, **settings)
    return page.from_notebook_node(add_pictures(notebook), {"metadata": {"name": title}})[0]


def main():
    if len(sys.argv) < 2:
        raise SystemExit("make html NOTEBOOK=notebooks/NAME.ipynb")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        target = FOLDER / f"{path.stem}.html"
        target.write_text(html(read(path), path.stem), encoding="utf-8")
        print(target.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
