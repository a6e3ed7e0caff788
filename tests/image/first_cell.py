"""Opens the first lesson on a JupyterLab as a browser does and runs its first cells; prints the times and
outputs as JSON.

    python first_cell.py PORT TOKEN NOTEBOOK"""

import json
import sys
import time
import urllib.error
import urllib.request
import uuid

import websocket

port, token, notebook = sys.argv[1:]
AUTHORISATION = {"Authorization": f"token {token}"}


def get(path, data=None):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=AUTHORISATION,
                                     data=data and json.dumps(data).encode())
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read()


def until_it_answers():
    for _ in range(6000):
        try:
            return get("/lab/tree/work/" + notebook)
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    sys.exit("JupyterLab does not answer")


def run(connection, code):
    """What a cell shows, and the seconds that it took."""
    number, start, shown = uuid.uuid4().hex, time.monotonic(), []
    connection.send(json.dumps({
        "channel": "shell", "content": {"code": code, "silent": False, "store_history": True,
                                        "user_expressions": {}, "allow_stdin": False},
        "header": {"msg_id": number, "msg_type": "execute_request", "session": number,
                   "username": "", "version": "5.3"}, "parent_header": {}, "metadata": {}}))
    while True:
        message = json.loads(connection.recv())
        if message["parent_header"].get("msg_id") != number:
            continue
        content, kind = message["content"], message["header"]["msg_type"]
        if kind == "stream":
            shown.append(content["text"])
        elif kind in ("execute_result", "display_data"):
            shown.append(content["data"].get("text/plain", ""))
        elif kind == "error":
            shown.append(f"{content['ename']}: {content['evalue']}")
        elif kind == "status" and content["execution_state"] == "idle":
            return "".join(shown), time.monotonic() - start


start = time.monotonic()
until_it_answers()
opened = time.monotonic() - start
text = json.loads(get(f"/api/contents/work/{notebook}"))
cells = ["".join(cell["source"]) for cell in text["content"]["cells"] if cell["cell_type"] == "code"]
kernel = json.loads(get("/api/kernels", {"name": "xcpp17", "path": "work/" + notebook}))["id"]
connection = websocket.create_connection(
    f"ws://127.0.0.1:{port}/api/kernels/{kernel}/channels",
    header=[f"{name}: {value}" for name, value in AUTHORISATION.items()], timeout=600)
start = time.monotonic()
shown, seconds = run(connection, cells[0])
first = time.monotonic() - start
crash, _ = run(connection, "int* nowhere = nullptr; *nowhere = 1;")
after, _ = run(connection, "6 * 7")
print(json.dumps({"opened": opened, "first cell": first, "cell": cells[0], "shown": shown,
                  "crash": crash, "after": after}))
