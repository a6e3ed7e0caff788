"""A Jupyter kernel in a jail (jail.py). Its five sockets are files in PRIVATE."""

import json
import queue
import secrets
import time

from jupyter_client import BlockingKernelClient

from lessons.form import ROOT

from .bubblewrap import PRIVATE, SLOW, Fault
from .jail import Jail

START_SECONDS = 90


class Sandbox(Jail):
    """with Sandbox(room, slot=0) as sandbox: sandbox.client is connected to a Jupyter kernel
    inside. sandbox.ended says why it had to be stopped, or is None."""
    def __init__(self, room, slot=0, limits=None, compile_only=False):
        self.connection = {
            "transport": "ipc",
            "ip": f"{PRIVATE}/s",
            "key": secrets.token_hex(32),
            "signature_scheme": "hmac-sha256",
            "kernel_name": "xcpp17",
            **{
                f"{name}_port": number
                for number, name in enumerate(("shell", "iopub", "stdin", "control", "hb"), 1)
            }
        }
        kernel = [
            str(ROOT / "build/bin/xcpp17"), "-f", f"{PRIVATE}/c.json", "--config",
            str(room.config), "-std=c++17"
        ]
        super().__init__(kernel, room, slot, limits,
                         {"XCPP_COMPILE_ONLY": "1"} if compile_only else {},
                         {"c.json": json.dumps(self.connection).encode()})
        self.client = None

    def __enter__(self):
        super().__enter__()
        try:
            self.client = BlockingKernelClient()
            self.client.load_connection_info({**self.connection, "ip": self.path("s")})
            self.client.start_channels()
            self.wait_for_kernel()
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait_for_kernel(self):
        """Until the Jupyter kernel answers on both channels that are needed."""
        until = time.monotonic() + START_SECONDS * SLOW
        while True:
            if self.ended is not None:
                raise self.fault or Fault("the Jupyter kernel did not start inside the sandbox: "
                                          f"{self.said() or self.ended}")
            if time.monotonic() > until:
                raise Fault("the Jupyter kernel did not answer in "
                            f"{START_SECONDS * SLOW:.0f} seconds: {self.said()}")
            try:
                self.client.kernel_info()
                self.client.get_shell_msg(timeout=0.5)
                self.client.get_iopub_msg(timeout=0.2)
                break
            except queue.Empty:
                continue
        try:
            while True:
                self.client.get_iopub_msg(timeout=0.05)
        except queue.Empty:
            pass

    def __exit__(self, *error):
        if self.client is not None:
            self.client.stop_channels()
        super().__exit__(*error)
