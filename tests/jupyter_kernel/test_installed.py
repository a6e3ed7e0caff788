"""`make kernel`: the Jupyter kernel alone, in a folder of its own, runs a notebook that knows nothing of the course."""

import json
import subprocess

import nbformat
import pytest
from client import CHECKOUT, PATIENCE
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    subprocess.run([
        "cmake", "--install", CHECKOUT / "build", "--component", "kernel", "--prefix", folder
    ],
                   check=True,
                   capture_output=True)
    return folder


def specs(folder):
    return KernelSpecManager(kernel_dirs=[str(folder / "share/jupyter/kernels")],
                             ensure_native_kernel=False)


def test_nothing_leads_back_to_the_checkout(installed):
    config = (installed / "share/xcpp17/xcpp17.json").read_text()
    spec = (installed / "share/jupyter/kernels/xcpp17/kernel.json").read_text()
    assert str(CHECKOUT) not in config + spec and "liblanes" not in config + spec
    for path in [*json.loads(config)["instantiations"], json.loads(config)["pch"]]:
        assert path.startswith(str(installed))


def test_a_notebook_runs(installed, tmp_path):
    sources = [
        "#include <xcpp/xdisplay.hpp>\n#include <xtensor/xarray.hpp>\n#include <vector>",
        "int twice(int x) { return 2 * x; }", "twice(21)", "std::vector<int>{1, 2, 3}",
        "xt::xarray<double> a = {{1, 2}, {3, 4}};\na + 1",
        "#include <xwidgets/xslider.hpp>\nxw::slider<int> slider;\nslider.value = 7;\nslider"
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources])
    client = NotebookClient(notebook,
                            kernel_name="xcpp17",
                            timeout=60 * PATIENCE,
                            resources={"metadata": {
                                "path": str(tmp_path)
                            }})
    client.create_kernel_manager()
    client.km.kernel_spec_manager = specs(installed)
    client.execute()
    shown = [[one.get("data", one)["text/plain"] for one in cell.outputs]
             for cell in notebook.cells]
    assert shown[:2] == [[], []]  # nor does it say that the precompiled header does not fit
    assert shown[2:4] == [["42"], ["{ 1, 2, 3 }"]]
    assert "2." in shown[4][0] and "5." in shown[4][0]
    assert "7" in shown[5][0]
    assert "application/vnd.jupyter.widget-view+json" in notebook.cells[5].outputs[0]["data"]


def test_what_it_lacks_is_said(installed, make_kernel):
    kernel = make_kernel(manager=specs(installed), env={"XCPP_COMPILE_ONLY": "1"})
    assert "no analysis is configured" in kernel.run("%references f").evalue
    assert kernel.run("#include <lanes/nn.hpp>").ename == "CompileError"
