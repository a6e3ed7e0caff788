"""python -m book_pages [NAME …]: the book of these lessons, of all without a name."""

import os
import pathlib
import shutil
import sys

from . import sources

ROOT = sources.ROOT


def main():
    if not (ROOT / "notebooks/solutions").is_dir():
        raise SystemExit("make book: this copy of the course has no notebooks/solutions, which hold "
                         "the outputs.")
    there = sources.names()
    wanted = [pathlib.Path(name).stem for name in sys.argv[1:]] or there
    for name in wanted:
        if name not in there:
            raise SystemExit(f"make book: there is no lesson '{name}'. There are: {' '.join(there)}")
    book = pathlib.Path(os.environ.get("BOOK") or ROOT / "build/book").resolve()
    if book.exists() and any(book.iterdir()) and not (book / ".buildinfo").exists():
        raise SystemExit(f"make book: {book} has files that are not of a book. Give BOOK= another "
                         "folder, or empty this one.")
    from sphinx.cmd.build import build_main  # takes seconds: after the checks

    shutil.rmtree(book, ignore_errors=True)
    source = book.with_name(book.name + "-source")
    sources.write(source, wanted, bool(os.environ.get("SOLUTIONS")))
    settings = str(pathlib.Path(__file__).parent)
    # -W: a link without a target is an error. No number of processes (-j): reading is quick, and
    # the search index is written by one anyway.
    status = build_main(["-q", "-W", "--keep-going", "-b", "html", "-c", settings,
                         "-d", str(source / ".doctrees"), str(source), str(book)])
    shutil.rmtree(source, ignore_errors=True)
    if status == 0:
        print(f"{book}/index.html: {len(wanted)} lessons")
    return status


if __name__ == "__main__":
    sys.exit(main())
