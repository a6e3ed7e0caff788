"""A notebook as a page for any browser: every picture and table of its outputs is visible without
JupyterLab."""

import subprocess
import sys
from pathlib import Path

import nbformat
from playwright.sync_api import expect

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tools"))
from lessons import export, pictures  # noqa: E402

NAME = "02_elementwise_max"


def test_the_page_shows_all_pictures(page):
    notebook = CHECKOUT / f"notebooks/solutions/{NAME}.ipynb"
    subprocess.run([CHECKOUT / "tools/html", notebook], check=True, capture_output=True)
    kinds = [
        output.get("data", {})
        for cell in nbformat.read(notebook, as_version=4).cells
        for output in cell.get("outputs", [])
    ]
    pictures, tables = sum("image/png" in data
                           for data in kinds), sum("<table" in data.get("text/html", "")
                                                   for data in kinds)
    assert pictures and tables
    # The page contains everything that it needs: nothing is fetched.
    page.route("http*://**", lambda route: route.abort())
    page.goto((CHECKOUT / f"build/html/{NAME}.html").as_uri(), wait_until="domcontentloaded")
    shown = page.locator(".jp-OutputArea img")
    expect(shown).to_have_count(pictures)
    expect(page.locator(".jp-OutputArea table")).to_have_count(tables)
    for number in range(pictures):
        shown.nth(number).scroll_into_view_if_needed()
        width, height = shown.nth(number).evaluate(
            "image => [image.complete * image.naturalWidth, image.getBoundingClientRect().height]")
        assert width > 50 and height > 20, (number, width, height)
    expect(page.locator("h1").first).to_contain_text("Element-wise maximum")
    expect(page.locator("text=max_gpu: passed")).to_be_visible()


PLOT = {
    "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
    "width": 300,
    "height": 200,
    "data": {
        "values": [{
            "x": 1,
            "y": 2
        }, {
            "x": 3,
            "y": 4
        }]
    },
    "mark": "line",
    "encoding": {
        axis: {
            "field": axis,
            "type": "quantitative"
        }
        for axis in "xy"
    }
}
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80">
<circle cx="60" cy="40" r="30" fill="red"/></svg>"""


def test_plots_and_drawings_of_jupyterlab_become_pictures(page, tmp_path, capfd):
    """What a cell shows is Vega-Lite or SVG. What fetches its data from elsewhere is not drawn."""
    fetching = PLOT | {"data": {"url": "https://example.org/data.json"}}
    outputs = [
        nbformat.v4.new_output("display_data", {
            kind: data,
            "text/plain": "instead"
        }) for kind, data in [(pictures.VEGA_LITE, PLOT), (pictures.SVG,
                                                         DRAWING), (pictures.VEGA_LITE, fetching)]
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=outputs)])
    (tmp_path / "plots.html").write_text(export.html(notebook, "plots"))
    page.goto((tmp_path / "plots.html").as_uri())
    sizes = page.locator(".jp-OutputArea img").evaluate_all(
        "all => all.map(one => [one.naturalWidth, one.width, one.height])")
    assert len(sizes) == 2 and sizes[1] == [240, 120, 80]
    assert sizes[0][0] == 2 * sizes[0][1] and sizes[0][1] > 300 and sizes[0][2] > 200
    expect(page.get_by_text("instead")).to_have_count(1)
    assert "1 of 3 plots and drawings could not be drawn" in capfd.readouterr().err


def test_formulas_are_set_without_a_network(page):
    """And without a script: MathML."""
    subprocess.run([CHECKOUT / "tools/html", CHECKOUT / "notebooks/solutions/01_mlp.ipynb"],
                   check=True,
                   capture_output=True)
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto((CHECKOUT / "build/html/01_mlp.html").as_uri())
    assert [url for url in fetched if url.startswith("http")
            ] == [] and page.locator("script").count() == 0
    sizes = page.locator("math").evaluate_all(
        "all => all.map(one => [one.getBoundingClientRect().width, "
        "one.getBoundingClientRect().height])"
    )
    assert len(sizes) > 70 and all(width > 4 and height > 6 for width, height in sizes)
    # A fraction is two lines high, a matrix of three rows higher.
    fraction, letter, matrix = (page.locator(f"math {part}").first.bounding_box()["height"]
                                for part in ("mfrac", "mi", "mtable:has(mtr:nth-child(3))"))
    assert fraction > 1.8 * letter and matrix > 2.8 * letter
    expect(page.get_by_text("\\frac")).to_have_count(0)
    expect(page.get_by_text("$")).to_have_count(0)


def test_a_formula_that_nobody_can_set_stays_as_it_was_typed(page, tmp_path):
    cell = nbformat.v4.new_markdown_cell("It costs $x^a^b$ and $x^2$.")
    (tmp_path / "odd.html").write_text(export.html(nbformat.v4.new_notebook(cells=[cell]), "odd"))
    page.goto((tmp_path / "odd.html").as_uri())
    expect(page.locator("code")).to_have_text("$x^a^b$")
    expect(page.locator("msup")).to_have_count(1)


def test_a_page_of_feedback_runs_no_script_of_a_student(page, tmp_path):
    from grading import pages

    evil = ('<script>document.title = "taken over"</script>'
            '<img src="x" onerror="document.title = \'taken over\'">'
            '<table><thead><tr><th>n</th></tr></thead></table>')
    cells = [
        nbformat.v4.new_markdown_cell(evil + "\n\n$x^2$"),
        nbformat.v4.new_code_cell(
            "x",
            outputs=[nbformat.v4.new_output("display_data", {
                "text/html": evil,
                "text/plain": ""
            })])
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    (tmp_path / "02.html").write_text(pages.page("anna", "02", notebook, {}, [], 7, 60))
    page.goto((tmp_path / "02.html").as_uri())
    expect(page.locator("section th")).to_have_count(2)
    assert page.locator("msup").bounding_box()["height"] > 6
    assert page.title() == "anna: 02"


def test_hints_and_collapsed_code_are_folded(page):
    notebook = nbformat.v4.new_notebook(cells=[
        nbformat.v4.new_markdown_cell(
            "<details><summary>Hint 1</summary>\n\nUse `int`.\n\n</details>"),
        nbformat.v4.new_code_cell("int drawing;", metadata={"jupyter": {
            "source_hidden": True
        }}),
        nbformat.v4.new_code_cell("int answer;"),
    ])
    page.set_content(export.html(notebook, "name"))
    for folded, summary in [("Use int.", "Hint 1"), ("int drawing;", "code")]:
        text = page.get_by_text(folded)
        expect(text).to_be_hidden()
        page.get_by_text(summary, exact=True).click()
        expect(text).to_be_visible()
    expect(page.get_by_text("int answer;")).to_be_visible()
