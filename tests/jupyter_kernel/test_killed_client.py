"""A client that is killed leaves no process, also one that does not set JPY_PARENT_PID, as VS Code."""

import json
import os
import subprocess
import sys

import pytest
from client import MARK, Kernel, comes_true, kernelspec_manager

# Starts a Jupyter kernel as a client does, runs a cell that never ends, and waits to be killed.
CLIENT = """
import json, os, subprocess, sys, time
from jupyter_client import BlockingKernelClient
from jupyter_client.connect import write_connection_file

file, info = write_connection_file(sys.argv[1])
environment = {name: value for name, value in os.environ.items() if name != "JPY_PARENT_PID"}
if sys.argv[2] == "named":
    environment["JPY_PARENT_PID"] = str(os.getpid())
subprocess.Popen([word.format(connection_file=file) for word in json.loads(sys.argv[3])], env=environment, start_new_session=True)
client = BlockingKernelClient(connection_file=file)
client.load_connection_file()
client.start_channels()
client.wait_for_ready(timeout=300)
client.execute('#include <cstdio>\\n#include <unistd.h>\\nstd::fopen("started", "w");\\nfor (;;) usleep(1000);')
time.sleep(600)
"""


@pytest.mark.parametrize("parent", ["named", "not named"])
def test_a_killed_client_leaves_no_process(tmp_path, parent):
    kernel = Kernel.__new__(Kernel)  # only to look for its processes
    kernel.mark = f"killed-client-{os.getpid()}-{parent}"
    argv = json.dumps(kernelspec_manager().get_kernel_spec("xcpp17").argv)
    client = subprocess.Popen([sys.executable, "-c", CLIENT, str(tmp_path / "connection.json"), parent, argv],
                              cwd=tmp_path, env=dict(os.environ, **{MARK: kernel.mark, "TMPDIR": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}))
    try:
        assert comes_true((tmp_path / "started").exists, 60), "the cell does not start"
        assert len(kernel.processes()) >= 3, "client, front and session"
        client.kill()
        client.wait()
        assert comes_true(lambda: not kernel.processes(), 10), kernel.processes()
        assert not list(tmp_path.glob("xcpp17*")), "the temporary folder is gone"
    finally:
        client.kill()
        client.wait()
        for process in kernel.processes():
            process.kill()
