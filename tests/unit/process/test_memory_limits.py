"""A process that may not have the memory that a log takes: the result, or a MemoryError."""

import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl
import pytest

import confmat as cm

if sys.platform != "linux":
    pytest.skip("limits the address space, and reads it from /proc", allow_module_level=True)

ROWS, SLICES = 2_000_000, 400
HARD = {"y_true": "y", "y_pred": "p", "by": "k"}
SCORED = {"y_true": "b", "y_score": "s", "by": "k"}
QUESTIONS = {
    "hard labels": HARD,
    "scores in bins": SCORED,
    "each score": SCORED | {"bins": None},
    "a model of each": HARD | {"y_score": "s", "y_true": "b", "y_pred": "q"},
}
LIMITS = (0, 4, 24, 96, 512)  # megabytes beyond what the process has

SCRIPT = """
import json, re, resource, sys
import polars as pl
import confmat as cm

path, asked, more, is_file = json.loads(sys.argv[1])
frame = None if is_file else pl.read_parquet(path)
few = pl.read_parquet(path, n_rows=1_000)
cm.evaluate(few, **asked).overall()  # what is loaded once
if frame is None:
    pl.scan_parquet(path).head(1_000).collect(engine="streaming")
size = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (size + (more << 20), -1))
try:
    e = cm.evaluate(path if frame is None else frame, **asked)
except (MemoryError, cm.ConfmatError) as error:
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    said = f"{type(error).__name__}: {error}"
    assert cm.confusion_matrix([0, 1], [0, 1]).accuracy == 1  # all else goes on
    print(json.dumps(["refused", said]))
else:
    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
    print(json.dumps(["result", e.to_bytes().hex()]))
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    rng = np.random.default_rng(5)
    y, p = rng.integers(0, 4, ROWS, dtype=np.int8), rng.integers(0, 4, ROWS, dtype=np.int8)
    score = rng.random(ROWS, dtype=np.float32)
    path = tmp_path_factory.mktemp("limits") / "log.parquet"
    pl.DataFrame(
        {
            "y": y,
            "p": p,
            "b": rng.random(ROWS) < score,
            "q": score > 0.5,
            "s": score,
            "k": rng.integers(0, SLICES, ROWS, dtype=np.int16),
        }
    ).write_parquet(path, row_group_size=250_000)
    return path


def answer(path, asked, more, is_file):
    """Return what a process with so many megabytes more says."""
    options = json.dumps([str(path), asked, more, is_file])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, options],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if done.returncode == -signal.SIGABRT and "memory allocation of" in done.stderr:
        return ["ended", ""]  # by Polars, where its own memory is refused
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# Each question through one door in every run, through the other in long ones.
@pytest.mark.parametrize(
    ("question", "is_file"),
    [
        pytest.param(question, is_file, marks=[] if is_file == at % 2 else pytest.mark.long)
        for at, question in enumerate(QUESTIONS)
        for is_file in (False, True)
    ],
)
def test_the_result_or_an_error(log, question, is_file):
    asked = QUESTIONS[question]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda more: answer(log, asked, more, is_file), LIMITS))
    whole = cm.evaluate(log, **asked).to_bytes().hex()
    assert found[-1] == ["result", whole]
    assert {said for what, said in found if what == "result"} == {whole}
    errors = [said for what, said in found if what == "refused"]
    assert errors or ["ended", ""] in found  # by Polars: some of the limits are felt
    assert all(one.startswith("MemoryError: ") for one in errors)
