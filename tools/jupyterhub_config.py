"""JupyterHub for a class on one machine: every user of the groups `students` and `teachers` gets a JupyterLab in an
unpacked bundle (docs/hub.md). The bundle is the root of the file system there, and of /home it has only the
user's own course folder.

    LANES_BUNDLE    the folder of the unpacked bundle, /srv/lanes
    LANES_MEMORY    how much memory a process of a user may have, 3G"""

import os

bundle = os.environ.get("LANES_BUNDLE", "/srv/lanes")
memory = os.environ.get("LANES_MEMORY", "3G")

c = get_config()  # noqa: F821 (defined by JupyterHub)
# Another program on this machine, which has a certificate, serves the hub to the network.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.PAMAuthenticator.allowed_groups = {"students", "teachers"}
c.PAMAuthenticator.admin_groups = {"teachers"}
# A cell that asks for more gets the error OutOfMemory, and the other users notice nothing. The limit (RLIMIT_DATA)
# is a soft one, because a program under a sanitizer (%%asan, %%tsan) reserves more and has to lift it. So it stops
# mistakes and nobody who wants to take memory; systemd or containers do that (docs/hub.md).
size = int(memory[:-1]) * 2**30 if memory.endswith("G") else int(memory)
c.Spawner.cmd = ["/usr/bin/prlimit", f"--data={size}:", "--", f"{bundle}/lab"]
c.Spawner.environment = {"XCPP_MEMORY": str(size)}  # the Jupyter kernel sets its soft limit itself
c.Spawner.default_url = "/lab/tree/work/00_start.ipynb"
c.Spawner.notebook_dir = "/"  # of the hub's own check that the folder exists; tools/lab chooses the course
c.Spawner.start_timeout = 120
