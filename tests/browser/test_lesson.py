"""Lessons as their student sees them: all cells of 01a_training run, the curve and the live progress
of the training are seen; and a slider of 01_mlp is dragged."""

import json
import shutil
from pathlib import Path

from playwright.sync_api import expect
from test_widgets import drag, run_all, wait_until

LESSONS = Path(__file__).parents[2] / "notebooks/solutions"


def run_lesson(lab, page, name):
    """Runs all cells without an error; returns a function that gives the outputs of a cell."""
    lesson = LESSONS / f"{name}.ipynb"
    shutil.copy(lesson, lab.folder)
    lab.open(page, lesson.name)
    names = [cell["id"] for cell in json.loads(lesson.read_text())["cells"]
             if cell["cell_type"] == "code"]
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    expect(cells).to_have_count(len(names))
    page.evaluate("""() => { window.seen = new Set(); new MutationObserver(() => {
            for (const area of document.querySelectorAll('.jp-OutputArea-output')) {
                const found = /training[^\\d]*(\\d+) of \\d+/i.exec(area.textContent);
                if (found) window.seen.add(found[0]);
            } }).observe(document.body, {subtree: true, childList: true, characterData: true}); }"""
                  )
    run_all(page)
    last = cells.nth(len(names) - 1).locator(".jp-InputPrompt")
    expect(last).to_have_text(f"[{len(names)}]:")
    assert page.locator(
        ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0

    def output(name):
        return cells.nth(names.index(name)).locator(".jp-OutputArea-output")

    return output


def test_lesson_runs_and_answers(lab, page, picture):
    output = run_lesson(lab, page, "01a_training")
    expect(output("curve").locator(".vega-embed canvas, .vega-embed svg").first).to_be_visible()
    expect(output("accuracy-check").first).to_contain_text("passed")
    assert len(page.evaluate("[...window.seen]")) > 2, "the training shows how far it is"
    picture("lesson_run")


def test_a_slider_of_a_lesson_is_dragged(lab, page, picture):
    output = run_lesson(lab, page, "01_mlp")
    slider = output("neuron-slider").locator(".widget-slider, .jupyter-widget-slider").first
    curve = output("neuron-slider").locator("img")
    expect(curve).to_be_visible()
    before = curve.get_attribute("src")
    drag(page, slider, 0)
    expect(slider.locator(".widget-readout, .jupyter-widget-readout")).to_have_text("−5.00")
    wait_until(lambda: curve.get_attribute("src") != before, "the curve follows the slider")
    picture("lesson_dragged")
