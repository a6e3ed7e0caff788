"""pytest --nbval compares all outputs except pictures. A plot's Vega-Lite holds measured times, and
drawings are stored as PNG. The text beside each of them is compared."""

import shutil

import pytest


def pytest_collectstart(collector):
    if collector.fspath and collector.fspath.ext == ".ipynb":
        collector.skip_compare += ("application/vnd.vegalite.v5+json", "image/svg+xml")


def pytest_collection_modifyitems(items):
    if shutil.which("mpirun"):
        return
    for item in items:
        if item.path.name.startswith("10"):
            item.add_marker(pytest.mark.skip(reason="its cells %%run mpirun need Open MPI"))
