"""Logs in an object store: a server of the S3 protocol, on this machine, that checks signatures."""

import io
import json
import subprocess
import sys

import boto3
import polars as pl
import pytest

import confmat as cm
from confmat.logs import reading, run, stores

ROWS = pl.DataFrame({"site": list("abc") * 40, "y": [0, 1] * 60, "p": [0, 1, 1] * 40})
ASKED = {"y_true": "y", "y_pred": "p", "by": "site"}
KINDS = {
    "parquet": pl.DataFrame.write_parquet,
    "csv": pl.DataFrame.write_csv,
    "ndjson": pl.DataFrame.write_ndjson,
    "arrow": pl.DataFrame.write_ipc,
}
SERVER = """
import json, sys
from urllib.request import Request, urlopen
import boto3
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
url = "http://%s:%s" % server.get_host_and_port()
anyone = {"endpoint_url": url, "region_name": "us-east-1"}
anyone |= {"aws_access_key_id": "a", "aws_secret_access_key": "b"}
boto3.client("s3", **anyone).create_bucket(Bucket="logs")
iam = boto3.client("iam", **anyone)
iam.create_user(UserName="reader")
allowed = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
policy = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
iam.put_user_policy(UserName="reader", PolicyName="all", PolicyDocument=policy)
key = iam.create_access_key(UserName="reader")["AccessKey"]
plain = {"Content-Type": "text/plain"}
urlopen(Request(url + "/moto-api/reset-auth", b"0", plain)).close()  # from now on keys are checked
print(json.dumps([url, key["AccessKeyId"], key["SecretAccessKey"]]), flush=True)
sys.stdin.read()
"""


class Store:
    """A bucket called `logs`, and the options with which Polars reads it."""

    def __init__(self, url, key, secret):
        self.options = {
            "aws_endpoint_url": url,
            "aws_access_key_id": key,
            "aws_secret_access_key": secret,
            "aws_region": "us-east-1",
            "aws_allow_http": "true",
        }
        self._client = boto3.client(
            "s3",
            endpoint_url=url,
            region_name="us-east-1",
            aws_access_key_id=key,
            aws_secret_access_key=secret,
        )

    def put(self, name, rows):
        file = io.BytesIO()
        KINDS[name.rpartition(".")[2]](rows, file)
        self._client.put_object(Bucket="logs", Key=name, Body=file.getvalue())
        return f"s3://logs/{name}"


@pytest.fixture(scope="module")
def store():
    command = [sys.executable, "-c", SERVER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as server:
        store = Store(*json.loads(server.stdout.readline()))
        for kind in KINDS:
            for day in range(3):
                store.put(f"{kind}/day={day}/{day}.{kind}", ROWS)
        yield store
        server.stdin.close()  # which ends it


@pytest.mark.parametrize("kind", KINDS)
def test_files_and_patterns(store, kind):
    asked = ASKED | {"storage_options": store.options}
    one = cm.evaluate(f"s3://logs/{kind}/day=0/0.{kind}", **asked)
    assert one.states().equals(cm.partial(ROWS, **ASKED))
    whole = cm.evaluate(f"s3://logs/{kind}/*/*.{kind}", **asked)
    assert whole == one + one + one
    assert whole == cm.evaluate([f"s3://logs/{kind}/day={d}/{d}.{kind}" for d in range(3)], **asked)
    assert cm.evaluate(f"s3://logs/{kind}/**/[01].{kind}", **asked) == one + one
    days = cm.evaluate(f"s3://logs/{kind}/**/*.{kind}", **asked | {"by": ["day", "site"]})
    assert days.slices()["day"].unique().sort().to_list() == [0, 1, 2]
    some = cm.evaluate(
        f"s3://logs/{kind}/*/*.{kind}", where=(pl.col("day") > 0) & (pl.col("y") == 1), **asked
    )
    assert some.n == 2 * 60


def test_a_checkpoint_goes_on(store, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "ROWS", 50)
    source = "s3://logs/later/*.parquet"
    for at in range(2):
        store.put(f"later/{at}.parquet", ROWS)
    asked = ASKED | {"storage_options": store.options}
    whole = cm.evaluate(source, **asked)
    counted, rows = run.SliceStates.counted, []

    def stops(states, batch):
        rows.append(batch.height)
        if len(rows) == 2:
            raise KeyboardInterrupt
        return counted(states, batch)

    monkeypatch.setattr(run.SliceStates, "counted", stops)
    file = tmp_path / "run.ckpt"
    with pytest.raises(cm.Interrupted):
        cm.evaluate(source, checkpoint=file, **asked)
    assert cm.evaluate(source, checkpoint=file, **asked) == whole
    assert sum(rows) == whole.n + rows[1]  # what was not counted is read again, and no more
    store.put("later/2.parquet", ROWS)
    assert cm.evaluate(source, checkpoint=file, **asked).n == whole.n + ROWS.height


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("s3://logs/parquet/none.parquet", r"none\.parquet cannot be read: .*404 Not Found"),
        ("s3://logs/parquet/none*.parquet", r"no such file: s3://logs/parquet/none\*\.parquet"),
        ("s3://nobody/0.parquet", r"0\.parquet cannot be read: .*404 Not Found"),
        ("s3://nobody/*.parquet", r"cannot be listed: .*NoSuchBucket"),
        ("s3://logs/parquet/", r"must end in .*; or name files as s3://logs/parquet/\*\*/\*\.pa"),
        ("s3://logs/parquet/*", r"no such file: s3://logs/parquet/\*"),
    ],
)
def test_what_is_not_there(store, source, said):
    with pytest.raises(cm.InputError, match=said):
        cm.evaluate(source, storage_options=store.options, **ASKED)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"aws_secret_access_key": "other"}, "SignatureDoesNotMatch: The request"),
        ({"aws_access_key_id": "nobody"}, "InvalidAccessKeyId: The AWS"),
    ],
)
def test_a_wrong_key(store, change, said):
    options = store.options | change
    with pytest.raises(cm.InputError, match=rf"cannot be listed: .*403 Forbidden: .*{said}"):
        cm.evaluate("s3://logs/*/*/*.parquet", storage_options=options, **ASKED)
    with pytest.raises(cm.InputError, match=r"0\.parquet cannot be read: .*403 Forbidden"):
        cm.evaluate("s3://logs/parquet/day=0/0.parquet", storage_options=options, **ASKED)


def test_a_file_that_is_not_there_is_skipped_and_told(store):
    files = ["s3://logs/parquet/none.parquet", "s3://logs/parquet/day=0/0.parquet"]
    e = cm.evaluate(files, on_error="skip", storage_options=store.options, **ASKED)
    assert e.n == ROWS.height
    assert [path for path, _ in e.skipped] == files[:1]
    assert "404 Not Found" in e.skipped[0].reason


def test_brackets_of_a_name_that_are_no_pattern(store):
    name = store.put("odd/x[1].parquet", ROWS)
    assert cm.evaluate(name, storage_options=store.options, **ASKED).n == ROWS.height


def test_a_polars_that_lists_nothing(store, monkeypatch):
    class Query:
        def collect_schema(self):
            return {}

    monkeypatch.setattr(stores.pl, "scan_parquet", lambda *_, **__: Query())
    with pytest.raises(cm.InputError, match=r"cannot be listed with Polars .*; name the files"):
        cm.evaluate("s3://logs/*/*.parquet", storage_options=store.options, **ASKED)
