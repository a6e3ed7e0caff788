"""A notebook as a page for any browser: every picture and table of its outputs is there to be seen, without JupyterLab."""

import subprocess
from pathlib import Path

import nbformat
from playwright.sync_api import expect

CHECKOUT = Path(__file__).resolve().parents[2]
NAME = "02_elementwise_max"


def test_the_page_shows_all_pictures(page):
    notebook = CHECKOUT / f"notebooks/solutions/{NAME}.ipynb"
    subprocess.run([CHECKOUT / "tools/html", notebook], check=True, capture_output=True)
    kinds = [output.get("data", {}) for cell in nbformat.read(notebook, as_version=4).cells for output in cell.get("outputs", [])]
    pictures, tables = sum("image/png" in data for data in kinds), sum("<table" in data.get("text/html", "") for data in kinds)
    assert pictures and tables
    # nothing is fetched: what the page needs for these is in it
    page.route("http*://**", lambda route: route.abort())
    page.goto((CHECKOUT / f"build/html/{NAME}.html").as_uri(), wait_until="domcontentloaded")
    shown = page.locator(".jp-OutputArea img")
    expect(shown).to_have_count(pictures)
    expect(page.locator(".jp-OutputArea table")).to_have_count(tables)
    for number in range(pictures):
        shown.nth(number).scroll_into_view_if_needed()
        width, height = shown.nth(number).evaluate("image => [image.complete * image.naturalWidth, image.getBoundingClientRect().height]")
        assert width > 50 and height > 20, (number, width, height)
    expect(page.locator("h1").first).to_contain_text("Element-wise maximum")
    expect(page.locator("text=max_gpu: passed")).to_be_visible()
