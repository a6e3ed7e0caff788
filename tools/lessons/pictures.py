"""Plots and drawings as PNG, for places that draw neither Vega-Lite nor SVG.

JupyterLab draws a plot from its Vega-Lite and a drawing from its SVG. Web pages, reports and sites
that host code show PNG: vl-convert makes it, without a network and without a browser."""

import base64
import io
import json
import os
import pathlib
import struct
import subprocess
import sys

VEGA_LITE, SVG, PNG = "application/vnd.vegalite.v5+json", "image/svg+xml", "image/png"
VERSION = "5.20"  # of Vega-Lite, near the one that JupyterLab 4.6 has
SCALE = 2  # pixels of the file per pixel of the page
SLOW = float(os.environ.get("LANES_SLOW", "1"))


def add_pictures(notebook, seconds=None):
    """Gives each plot and each drawing a PNG, unless it has one, and returns the notebook. A plot
    keeps its Vega-Lite; the SVG of a drawing goes, because viewers would prefer it to the PNG."""
    outputs = [
        output for cell in notebook.cells for output in cell.get("outputs", [])
        if output.get("data") and {VEGA_LITE, SVG} & set(output.data) and PNG not in output.data
    ]
    sources = [(kind, output.data[kind]) for output in outputs
               for kind in [VEGA_LITE if VEGA_LITE in output.data else SVG]]
    for output, picture in zip(outputs, converted(sources, seconds)):
        if picture is None:
            continue
        width, height = struct.unpack(">II", base64.b64decode(picture)[16:24])
        output.data[PNG] = picture
        output.setdefault("metadata", {})[PNG] = {
            "width": width // SCALE,
            "height": height // SCALE
        }
        output.data.pop(SVG, None)
    return notebook


def converted(sources, seconds=None):
    """One PNG in base64 per source, None for those that cannot be drawn within so many seconds. A
    separate process draws them: a plot may take forever."""
    if not sources:
        return []
    if seconds is None:
        seconds = (60 + 10 * len(sources)) * SLOW
    try:
        said = subprocess.run([sys.executable, pathlib.Path(__file__)],
                              input=json.dumps(sources).encode(),
                              capture_output=True,
                              timeout=seconds).stdout
    except subprocess.TimeoutExpired as late:
        said = late.stdout or b""
    # One line per picture; what was cut off while it was written is not one.
    pictures = [json.loads(line) for line in said.split(b"\n")[:-1]]
    pictures += [None] * (len(sources) - len(pictures))
    if None in pictures:
        print(f"{pictures.count(None)} of {len(sources)} plots and drawings could not be drawn: "
              "their text is shown instead.", file=sys.stderr)
    return pictures


def packed(picture, has_photographs):
    """vl-convert compresses little: with a palette of 40 colours the file is a tenth as large. A
    grey photograph in a drawing has 128 of them, one in colour 256."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    is_in_colour = image.getcolors(6000) is None
    image = image.quantize(256 if is_in_colour else 128 if has_photographs else 40)
    if image.convert("RGB").convert("L").convert("RGB") == image.convert("RGB"):
        image = image.convert("L")  # PNG compresses grey pixels better than those of a palette
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def draw(kind, source):
    try:
        if kind == VEGA_LITE:
            picture = vl_convert.vegalite_to_png(source,
                                                 vl_version=VERSION,
                                                 scale=SCALE,
                                                 allowed_base_urls=[])
        else:
            picture = vl_convert.svg_to_png("".join(source), scale=SCALE)
        has_photographs = kind == SVG and "<image" in "".join(source)
        return base64.b64encode(packed(picture, has_photographs)).decode()
    except Exception:  # of many types: the source is not a plot, fetches data, or is too large
        return None


if __name__ == "__main__":
    import vl_convert
    from PIL import Image

    for kind, source in json.load(sys.stdin):
        print(json.dumps(draw(kind, source)), flush=True)
