"""The notebooks of `examples` run, in a kernel, and progress is shown there."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
manager = pytest.importorskip("jupyter_client.manager")

EXAMPLES = sorted(Path(__file__).parents[3].glob("examples/*.ipynb"))
PROGRESS = """
from confmat.logs.progress import Progress
with Progress(total_rows=1_000, shown=True, doing="<reading>") as progress:
    progress._next = 0.0
    progress.advance(400)
"""


@pytest.fixture(scope="module")
def kernel():
    made, client = manager.start_new_kernel()
    yield made, client
    client.stop_channels()
    made.shutdown_kernel(now=True)


def outputs(kernel, code):
    """Return what a cell shows, message by message."""
    said = []
    reply = kernel[1].execute_interactive(code, output_hook=said.append, timeout=60)
    assert reply["content"]["status"] == "ok", reply["content"]
    return said


def test_there_are_some():
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_notebook_runs_and_is_kept_without_outputs(kernel, path):
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in cells)
    outputs(kernel, "%reset -f")
    shown = [outputs(kernel, cell.source) for cell in cells]
    kinds = {kind for said in shown for one in said for kind in one["content"].get("data", ())}
    assert {"text/plain", "text/html"} <= kinds
    assert not [one for said in shown for one in said if one["content"].get("name") == "stderr"]


def test_progress_is_an_output_that_is_updated_and_then_emptied(kernel):
    said = [m for m in outputs(kernel, PROGRESS) if "display" in m["header"]["msg_type"]]
    first, *updates = [m["content"]["data"]["text/html"] for m in said]
    assert first.startswith("<progress max=1")
    assert "&lt;reading&gt; 0 of 1,000 rows" in first
    assert 'value="0.4000"' in updates[0]
    assert updates[-1] == ""
    assert len({m["content"]["transient"]["display_id"] for m in said}) == 1
    assert [m["header"]["msg_type"] for m in said[1:]] == ["update_display_data"] * len(updates)
