"""Runs cells, presses the interrupt button, crashes, goes on."""

import time

import nbformat
from client import SLOW
from playwright.sync_api import expect

CELLS = [
    "40 + 2",
    "#include <xtensor/xarray.hpp>\nxt::xarray<double> table{{1.25, 2.5}, {3.75, 5.}};\ntable",
    "for (;;) ;",
    "int* volatile p = nullptr; *p = 1;",
    "50 + 5",
]


def test_run_interrupt_and_go_on(lab, page, picture):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(c) for c in CELLS],
        metadata={"kernelspec": {
            "name": "xcpp17",
            "display_name": "C++17",
            "language": "C++17"
        }})
    nbformat.write(notebook, lab.folder / "first.ipynb")
    lab.open(page, "first.ipynb")
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    expect(cells).to_have_count(5)

    def run(index):
        """As a user does: if the page was busy and did not react, click and press again."""
        prompt = cells.nth(index).locator(".jp-InputPrompt")
        before = prompt.inner_text()
        for tries_left in reversed(range(5)):
            cells.nth(index).locator(".cm-content").click()
            page.keyboard.press("Control+Enter")
            try:
                expect(prompt).not_to_have_text(before, timeout=6_000 * SLOW)
                return
            except AssertionError:
                if not tries_left:
                    raise

    def output(index, text, kind=".jp-OutputArea-output"):
        expect(cells.nth(index).locator(kind).filter(has_text=text).first).to_be_visible()

    run(0)
    output(0, "42")
    run(1)
    table = cells.nth(1).locator(".jp-OutputArea-output table")
    expect(table).to_be_visible()
    expect(table).to_contain_text("3.75")
    run(2)
    expect(cells.nth(2).locator(".jp-InputPrompt")).to_contain_text("*")
    time.sleep(1)
    button = page.locator("[data-command='notebook:interrupt-kernel'], "
                          "jp-button[title^='Interrupt'], button[title^='Interrupt']").first
    button.click()
    output(2, "Interrupt again to end it now")  # the loop neither prints nor waits
    button.click()
    output(2, "Interrupted")
    run(3)
    output(3, "SIGSEGV")
    run(4)
    output(4, "55")
    run(0)
    output(0, "42")
    assert page.locator("text=Kernel Restarting").count() == 0
