"""A person in front of JupyterLab: opens a notebook, runs cells, presses the interrupt button. Chromium, driven by Playwright.

The last picture is kept as front_end.png in the folder that pytest's --basetemp names, or where LANES_PICTURES points."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from client import SLOW, jupyter_path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt-get install chromium"),
    pytest.mark.timeout(150 * SLOW),
]


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """(address, folder) of a JupyterLab of its own: no settings of the user are read or written."""
    nbformat = pytest.importorskip("nbformat")
    folder = tmp_path_factory.mktemp("lab")
    cells = [
        "40 + 2",
        "#include <xtensor/xarray.hpp>\nxt::xarray<double> table{{1.25, 2.5}, {3.75, 5.}};\ntable",
        "for (;;) ;",
        "int* volatile p = nullptr; *p = 1;",
        "50 + 5",
    ]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(c) for c in cells], metadata={"kernelspec": {"name": "xcpp17", "display_name": "C++17", "language": "C++17"}}
    )
    nbformat.write(notebook, folder / "first.ipynb")
    port, token = free_port(), "letmein"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("JUPYTER")}
    environment.update(
        JUPYTER_PATH=str(jupyter_path()),
        JUPYTER_CONFIG_DIR=str(folder / ".config"),
        JUPYTER_DATA_DIR=str(folder / ".data"),
        JUPYTER_RUNTIME_DIR=str(folder / ".runtime"),
    )
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            f"--port={port}",
            "--ServerApp.port_retries=0",
            f"--IdentityProvider.token={token}",
            f"--ServerApp.root_dir={folder}",
            "--LabApp.news_url=None",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ],
        env=environment,
        cwd=folder,
        stdout=open(folder / "server.log", "w"),
        stderr=subprocess.STDOUT,
    )
    deadline = time.monotonic() + 60 * SLOW
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token={token}", timeout=2)
            break
        except OSError:
            assert server.poll() is None and time.monotonic() < deadline, (folder / "server.log").read_text()
            time.sleep(0.2)
    yield f"http://127.0.0.1:{port}/lab/tree/first.ipynb?token={token}&reset", folder
    server.terminate()
    server.wait(20)


def test_run_interrupt_and_go_on(lab):
    sync_api = pytest.importorskip("playwright.sync_api")
    address, folder = lab
    pictures = Path(os.environ.get("LANES_PICTURES", folder))
    pictures.mkdir(parents=True, exist_ok=True)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_page(viewport={"width": 1400, "height": 1300})
        page.set_default_timeout(60_000 * SLOW)
        try:
            page.goto(address)
            cells = page.locator(".jp-Notebook .jp-CodeCell")
            sync_api.expect(cells).to_have_count(5, timeout=60_000 * SLOW)
            page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for()

            def run(index):
                """As a person does: where the page was busy and has not heard it, click and press again."""
                prompt = cells.nth(index).locator(".jp-InputPrompt")
                before = prompt.inner_text()
                for tries_left in reversed(range(5)):
                    cells.nth(index).locator(".cm-content").click()
                    page.keyboard.press("Control+Enter")
                    try:
                        sync_api.expect(prompt).not_to_have_text(before, timeout=6_000 * SLOW)
                        return
                    except AssertionError:
                        if not tries_left:
                            raise

            def output(index, text, kind=".jp-OutputArea-output"):
                sync_api.expect(cells.nth(index).locator(kind).filter(has_text=text).first).to_be_visible(timeout=30_000 * SLOW)

            run(0)
            output(0, "42")
            run(1)
            table = cells.nth(1).locator(".jp-OutputArea-output table")
            sync_api.expect(table).to_be_visible(timeout=30_000 * SLOW)
            sync_api.expect(table).to_contain_text("3.75")
            run(2)
            sync_api.expect(cells.nth(2).locator(".jp-InputPrompt")).to_contain_text("*")
            time.sleep(1)
            page.locator("[data-command='notebook:interrupt-kernel'], jp-button[title^='Interrupt'], button[title^='Interrupt']").first.click()
            output(2, "Interrupted")
            run(3)
            output(3, "SIGSEGV")
            run(4)
            output(4, "55")
            run(0)
            output(0, "42")
            assert page.locator("text=Kernel Restarting").count() == 0
        finally:
            page.screenshot(path=str(pictures / "front_end.png"), full_page=True)
            browser.close()
