"""Opens a notebook, runs all its cells, sees the plot and the progress, drags a slider and sees the
plot drawn again, loads the page again and drags on."""

import re
import shutil
import time
from pathlib import Path

from client import SLOW
from playwright.sync_api import expect

NOTEBOOK = Path(__file__).parents[1] / "notebooks/widgets.ipynb"


def run_all(page):
    """As a user does: if the page was not ready and nothing began, press again."""
    first = page.locator(".jp-Notebook .jp-CodeCell").first.locator(".jp-InputPrompt")
    for tries_left in reversed(range(5)):
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        try:
            expect(first).to_have_text(re.compile(r"\[[\d*]+\]"), timeout=6_000 * SLOW)
            return
        except AssertionError:
            if not tries_left:
                raise


def drag(page, slider, to):
    """With the mouse. to: 0 is the left end, 1 the right one."""
    slider.scroll_into_view_if_needed()
    handle, track = slider.locator(".noUi-handle").bounding_box(), slider.locator(
        ".noUi-base").bounding_box()
    middle = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + handle["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(track["x"] + to * track["width"], middle, steps=8)
    page.mouse.up()


def pixels(canvas):
    return canvas.evaluate("canvas => canvas.toDataURL()")


def wait_until(condition, what, seconds=300):
    deadline = time.monotonic() + seconds * SLOW
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def settled_pixels(page, canvas):
    """Waits for the answer to the last drag: a drag sends many values, each of which is drawn."""
    seen = []

    def same_twice():
        page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for()
        time.sleep(0.5 * SLOW)
        seen.append(pixels(canvas))
        return len(seen) > 1 and seen[-1] == seen[-2]

    wait_until(same_twice, "the plot stands still")
    return seen[-1]


def test_plot_progress_and_slider(lab, page, picture):
    shutil.copy(NOTEBOOK, lab.folder)
    lab.open(page, NOTEBOOK.name)
    page.evaluate("""() => { window.seen = []; new MutationObserver(() => {
            for (const bar of document.querySelectorAll('.jp-OutputArea-output')) {
                const steps = /counting: (\\d+) of 40/.exec(bar.textContent);
                if (steps) window.seen.push(Number(steps[1]));
            } }).observe(document.body, {subtree: true, childList: true, characterData: true}); }"""
                  )
    run_all(page)
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    slider = cells.nth(4).locator(".widget-slider, .jupyter-widget-slider")
    expect(slider).to_be_visible()
    expect(cells.nth(5).locator(".jp-OutputArea-output")).to_contain_text("2")
    expect(
        cells.nth(1).locator(
            ".jp-OutputArea-output .vega-embed canvas, .jp-OutputArea-output .vega-embed svg").first
    ).to_be_visible()
    seen = page.evaluate("window.seen")
    assert any(0 < step < 40
               for step in seen) and seen[-1] == 40, f"no progress was seen on its way: {seen}"
    picture("widgets_run")

    drawn = cells.nth(4).locator(".jp-OutputArea .jp-OutputArea canvas")
    expect(drawn).to_have_count(0)
    readout = slider.locator(".widget-readout, .jupyter-widget-readout")
    drag(page, slider, 1)
    expect(readout).to_have_text("9")
    expect(drawn).to_have_count(1)  # drawn again in its place
    expect(drawn).to_be_visible()
    nine = settled_pixels(page, drawn)
    picture("widgets_dragged")

    page.keyboard.press("Control+s")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)
    page.reload()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for()
    expect(readout).to_have_text("9")
    expect(drawn).to_be_visible()
    wait_until(lambda: pixels(drawn) == nine, "the page that was loaded again shows the last plot")
    picture("widgets_reloaded")
    drag(page, slider, 0)
    expect(readout).to_have_text("1")
    wait_until(lambda: drawn.count() == 1 and settled_pixels(page, drawn) != nine,
               "the plot is drawn again after the page was loaded again")
    picture("widgets_dragged_again")
