"""The checkout, its build, and its tracked files."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LANES_BUILD", ROOT / "build"))


def tracked(*suffixes):
    listing = subprocess.run(["git", "-C", ROOT, "-c", f"safe.directory={ROOT}", "ls-files", "-z"],
                             check=True,
                             capture_output=True,
                             text=True).stdout
    return [
        path for path in listing.split("\0")
        if path and path.endswith(suffixes or "") and (ROOT / path).is_file()
    ]


def texts():
    """{path: text} of all tracked files; data and pictures have an empty text."""
    files = {}
    for path in tracked():
        files[path] = ""
        if path.startswith("data/") and not path.endswith(".md"):
            continue
        try:
            files[path] = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            pass  # a picture
    return files
