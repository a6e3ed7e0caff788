"""pytest --nbval compares all outputs except pictures. A plot's Vega-Lite holds measured times, and
drawings are stored as PNG. The text beside each of them is compared."""


def pytest_collectstart(collector):
    if collector.fspath and collector.fspath.ext == ".ipynb":
        collector.skip_compare += ("application/vnd.vegalite.v5+json", "image/svg+xml")
