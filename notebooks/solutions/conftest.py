"""pytest --nbval compares all that a cell shows but pictures, and this one description of a plot, which holds measured times. The text beside a plot is compared."""


def pytest_collectstart(collector):
    if collector.fspath and collector.fspath.ext == ".ipynb":
        collector.skip_compare += ("application/vnd.vegalite.v5+json", )
