"""Tests JupyterLab as a user sees it: a server of this checkout, and Chromium driven by Playwright.

    lab        the running server: lab.open(page, "name.ipynb"), lab.folder
    page       a page in a separate browser
    picture    picture("name") keeps what the page shows as name.png, in the folder LANES_PICTURES
               or in pytest's own

LANES_SLOW multiplies every time limit."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "jupyter_kernel"))
from client import SLOW, jupyter_path  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which(
    "google-chrome")
TOKEN = "letmein"
LIMIT = 300_000 * SLOW  # milliseconds until something is expected to have hung
expect.set_options(timeout=LIMIT)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(1200 * SLOW))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Lab:
    """A JupyterLab that reads and writes no settings of the user's."""
    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        # As for a human user: no variable says that a program runs the notebook.
        environment = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith("JUPYTER") and k not in ("CI", "NBGRADER_EXECUTION",
                                                         "PYTEST_CURRENT_TEST")
        }
        environment.update(
            JUPYTER_PATH=str(jupyter_path()),
            JUPYTER_CONFIG_DIR=str(folder / ".config"),
            JUPYTER_DATA_DIR=str(folder / ".data"),
            JUPYTER_RUNTIME_DIR=str(folder / ".runtime"),
        )
        # Every cell is part of the page, visible or not, so that tests find all of a long notebook.
        settings = folder / ".config/lab/user-settings/@jupyterlab/notebook-extension"
        settings.mkdir(parents=True)
        (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
        command = [
            sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
            f"--port={self.port}", "--ServerApp.port_retries=0"
        ]
        command += [
            f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}",
            "--LabApp.news_url=None"
        ]
        command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
        with open(folder / "server.log", "w") as log:
            self.server = subprocess.Popen(command,
                                           env=environment,
                                           cwd=folder,
                                           stdout=log,
                                           stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 300 * SLOW
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api?token={TOKEN}", timeout=2)
                break
            except OSError:
                assert self.server.poll() is None and time.monotonic() < deadline, (
                    folder / "server.log").read_text()
                time.sleep(0.2)

    def open(self, page, name):
        """Opens the notebook and waits until its Jupyter kernel is ready."""
        page.goto(f"http://127.0.0.1:{self.port}/lab/tree/{name}?token={TOKEN}&reset")
        page.wait_for_load_state(
            "networkidle"
        # On a busy machine extensions load late, and a widget that is shown before that stays text.
        )
        page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for()

    def stop(self):
        self.server.terminate()
        self.server.wait(300 * SLOW)


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    lab = Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.stop()


@pytest.fixture(scope="session")
def browser():
    # `make test` has installed it. A missing browser is an error, so that nothing goes untested.
    assert CHROMIUM, "no Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM,
                                             args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1400, "height": 1300})
    page.set_default_timeout(LIMIT)
    yield page
    page.close()


@pytest.fixture
def picture(lab, page, request):
    folder = Path(os.environ.get("LANES_PICTURES", lab.folder))
    folder.mkdir(parents=True, exist_ok=True)

    def take(name):
        page.screenshot(path=str(folder / f"{name}.png"), full_page=True)

    yield take
    take(request.node.name)
