"""The image that tools/image has built. `make test ONLY=image` builds it first."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
IMAGE = "localhost/lanes"
TOKEN = "letmein"
SLOW = float(os.environ.get("LANES_SLOW") or 1)  # of the time limits, as in tools/test


def output(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="session", autouse=True)
def image():
    if not shutil.which("buildah") or os.geteuid() != 0:
        pytest.skip("needs root and buildah")
    found = subprocess.run(["buildah", "inspect", "--type", "image", IMAGE], text=True, capture_output=True)
    if found.returncode:
        pytest.skip("no image: make image")
    return json.loads(found.stdout)


@pytest.fixture
def container(image):
    name = output("buildah", "from", IMAGE).strip()
    yield Container(name)
    subprocess.run(["buildah", "rm", name], stdout=subprocess.DEVNULL)


class Container:
    def __init__(self, name):
        self.name = name

    def folder(self):
        return Path(output("buildah", "mount", self.name).strip())

    def command(self, *command, volumes=()):
        options = [word for volume in volumes for word in ("--volume", volume)]
        return ["buildah", "run", "--isolation", "chroot", *options, self.name, "--", *command]

    def run(self, *command, **options):
        return subprocess.run(self.command(*command), text=True, capture_output=True, **options)


def child_of(process):
    """The process that another has started, as soon as there is one."""
    while process.poll() is None:
        found = subprocess.run(["pgrep", "--parent", str(process.pid)], text=True, capture_output=True).stdout
        if found:
            return found.split()[0]
        time.sleep(0.05)
    raise AssertionError(f"the server has ended with status {process.returncode}; its output is above")


def first_cell(lab, notebook="00_start.ipynb"):
    """Starts JupyterLab by a command without a network, runs a notebook's first cell, ends both."""
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, HERE / "offline.py", *lab, f"--ServerApp.port={port}",
         "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}"], start_new_session=True)
    try:
        process = child_of(server)  # the one with the loopback interface
        said = output("nsenter", f"--net=/proc/{process}/ns/net", sys.executable, HERE / "first_cell.py",
                      str(port), TOKEN, notebook, timeout=900)
        return json.loads(said)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(60)
