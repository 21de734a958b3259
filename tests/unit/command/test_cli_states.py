"""`confmat merge`, `confmat show` and `confmat evaluate --states`: files of states."""

import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from support.state_files import COLUMNS, LOG, write_days

import confmat as cm
from confmat.logs import merged_files as merging

pytest.importorskip("typer")

WHOLE = cm.partial(LOG, **COLUMNS, by=["site", "day"])


@pytest.fixture
def days(tmp_path):
    write_days(tmp_path)
    return tmp_path


@pytest.fixture(params=["often", "at the end"])
def merges(request, monkeypatch):
    """Merge two rows of every file at a time, or all."""
    if request.param == "often":
        monkeypatch.setattr(merging, "STEP", 1)
        monkeypatch.setattr(merging, "FIRST", 2)


@pytest.mark.usefixtures("merges")
@pytest.mark.parametrize("kind", ["parquet", "arrow", "bin"])
def test_files_of_days_are_the_states_of_all_rows(run, days, kind):
    out = days / "all.parquet"
    code, printed, err = run("merge", days / f"day-*.{kind}", "--out", out)
    assert (code, err) == (0, f"wrote {out}\n")
    assert "3 files of 9 rows of states; 9 slices by site, day" in printed
    assert_frame_equal(pl.read_parquet(out), WHOLE)


@pytest.mark.usefixtures("merges")
def test_keys_are_left_out(run, days):
    out = days / "all.parquet"
    assert run("merge", days / "day-*.parquet", "--by", "site", "--out", out)[0] == 0
    assert_frame_equal(pl.read_parquet(out), cm.merge(WHOLE, by="site"))
    assert run("merge", days / "day-*.parquet", "--whole", "--out", out)[0] == 0
    assert_frame_equal(pl.read_parquet(out), cm.merge(WHOLE, by=[]))


def test_dates_are_cut(run, days):
    out = days / "all.parquet"
    given = ["merge", days / "day-*.parquet", "--by", "day:month", "--by", "site", "--out", out]
    assert run(*given)[0] == 0
    month = pl.col("day").dt.truncate("1mo").alias("month")
    assert_frame_equal(pl.read_parquet(out), cm.merge(WHOLE, by=[month, "site"]))
    code, _, err = run("show", days / "day-*.parquet", "--by", "month")
    assert code == 2
    assert err.endswith("the keys are ['site', 'day']; did you mean day:month?\n")


def test_all_forms_at_once_and_again(run, days):
    """What was merged merges again; one file named twice counts once."""
    first, out = days / "first.parquet", days / "all.parquet"
    assert run("merge", days / "day-0.parquet", days / "day-1.bin", "--out", first)[0] == 0
    given = [first, days / "day-2.arrow", days / "day-2.arrow"]
    assert run("merge", *given, "--out", out)[0] == 0
    assert_frame_equal(pl.read_parquet(out), WHOLE)


def test_folders_have_keys(run, tmp_path):
    for at, site in enumerate(("x", "z")):
        folder = tmp_path / f"site={site}"
        folder.mkdir()
        part = cm.partial(LOG.filter(site=site), **COLUMNS)
        part.write_parquet(folder / f"{at}.parquet")
    out = tmp_path / "all.parquet"
    assert run("merge", tmp_path, "--out", out)[0] == 0
    wanted = cm.partial(LOG.filter(pl.col("site").is_not_null()), **COLUMNS, by="site")
    assert_frame_equal(pl.read_parquet(out), wanted, check_column_order=False)


def test_models_stay_apart(run, tmp_path):
    two = LOG.with_columns(q=1 - pl.col("p"))
    e = cm.evaluate(two, y_true="y", y_pred={"m1": "p", "m2": "q"}, by=["site", "day"])
    (tmp_path / "e.bin").write_bytes(e.to_bytes())
    out = tmp_path / "all.parquet"
    code, printed, err = run("merge", tmp_path / "e.bin", "--by", "site", "--out", out)
    assert code == 0
    assert "by model, site" in printed
    assert f"left out: the joint counts of pairs of models in {tmp_path / 'e.bin'}\n" in err
    assert_frame_equal(pl.read_parquet(out), cm.merge(e.states(), by=["model", "site"]))


def test_evaluate_writes_states(run, tmp_path):
    LOG.write_parquet(tmp_path / "log.parquet")
    out = tmp_path / "states.parquet"
    given = ["--y-true", "y", "--y-pred", "p", "--y-score", "s", "--by", "site", "--by", "day"]
    code, _, err = run("evaluate", tmp_path / "log.parquet", *given, "--states", out)
    assert (code, err) == (0, f"wrote {out}\n")
    assert_frame_equal(pl.read_parquet(out), WHOLE)
    code, _, err = run("evaluate", tmp_path / "log.parquet", *given, "--states", "x.csv")
    assert code == 2
    assert err.startswith("error: `--states` is 'x.csv'; its name must end in .parquet")
    code, _, err = run("evaluate", out, *given, "--states", out)
    assert code == 2
    assert "which is read" in err


def test_show_prints_what_is_there_as_evaluate_does(run, days):
    LOG.write_parquet(days / "log.parquet")
    code, printed, err = run("show", days / "day-*.parquet", "--by", "site")
    assert (code, err) == (0, "")
    given = ["--y-true", "y", "--y-pred", "p", "--y-score", "s", "--by", "site"]
    evaluated = run("evaluate", days / "log.parquet", *given)[1]
    head, _, table = printed.partition("\n\n")
    assert table == evaluated
    assert head.splitlines() == [
        "3 files of 9 rows of states; 3 slices by site",
        "state: predicted classes, n = 180, 2 labels: [0, 1], positive 1",
        "scored: scores in bins, n = 180, 2 labels: [0, 1], positive 1",
        "key site: String, 2 values, x to z, and missing",
    ]


def test_show_prints_the_metrics_asked_for(run, days):
    given = ["--by", "site", "--metrics", "recall,roc_auc", "--ci", "0.9", "--min-n", "5"]
    code, printed, _ = run("show", days / "day-*.parquet", *given)
    assert code == 0
    for word in ("recall", "low", "high", "roc"):
        assert word in printed
    assert "mcc" not in printed
    given = ["--metrics", "recall,roc_auc", "--reasons", "--min-n", "5", "--by", "site"]
    assert "n is below min_n = 5" in run("show", days / "day-*.parquet", *given)[1]


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
def test_show_writes_the_table(run, days, kind):
    out = days / f"out.{kind}"
    given = ["--by", "site", "--metrics", "accuracy", "--ci", "0.95", "--out", out]
    code, _, err = run("show", days / "day-*.bin", *given)
    assert (code, err) == (0, f"wrote {out}\n")
    wanted = cm.finish(cm.merge(WHOLE, by="site"), "accuracy", ci=0.95)
    if kind == "json":
        assert json.loads(out.read_text()) == wanted.to_dicts()
    else:
        found = {"csv": pl.read_csv, "parquet": pl.read_parquet}[kind](out)
        assert_frame_equal(found, wanted, check_dtypes=False)


def test_all_rows_are_shown_as_objects(run, days):
    code, printed, _ = run("show", days / "day-*.parquet", "--whole", "--metrics", "mcc,roc_auc")
    assert code == 0
    whole = cm.merge(WHOLE, by=[])
    for column in ("state", "scored"):
        assert str(cm.from_bytes(whole[column].item())) in printed
    (matrix,) = whole["state"]
    assert f"mcc      {cm.from_bytes(matrix).mcc:.4f}" in printed


@pytest.mark.parametrize(
    ("make", "n"),
    [
        (lambda: cm.confusion_matrix(["a", "b"], ["a", "a"]), "n = 2"),
        (lambda: cm.sweep([0, 1, 1], [0.1, 0.2, 0.9]), "n = 3"),
        (lambda: cm.multilabel([["a"], ["b"]], [["a"], ["a"]]), "n = 2"),
        (lambda: cm.joint_matrix([0, 1], [0, 1], [1, 1]), "n = 2"),
        (
            lambda: cm.multiclass_sweep([0, 1], [[0.9, 0.1], [0.2, 0.8]]).to_state(bins=64),
            "n = 2",
        ),
    ],
)
def test_objects_of_every_kind_are_shown(run, tmp_path, make, n):
    state = make()
    (tmp_path / "one.state").write_bytes(state.to_bytes())
    code, printed, err = run("show", tmp_path / "one.state")
    assert (code, err) == (0, "")
    assert n in printed.splitlines()[1]
    assert str(state) in printed


def test_weights_are_told(run, tmp_path):
    states = cm.partial(
        LOG.with_columns(w=0.5), y_true="y", y_pred="p", sample_weight="w", by="site"
    )
    states.write_parquet(tmp_path / "w.parquet")
    printed = run("show", tmp_path / "w.parquet")[1]
    assert "state: predicted classes, weights of 90, 2 labels" in printed
    assert "3 slices by site, weights of 90" in printed


def test_the_positive_class_is_named(run, tmp_path):
    names = pl.col("y", "p").replace_strict({0: "no", 1: "yes"})
    states = cm.partial(LOG.with_columns(names), y_true="y", y_pred="p", by="site")
    states.write_parquet(tmp_path / "s.parquet")
    given = ["show", tmp_path / "s.parquet", "--metrics", "recall"]
    code, _, err = run(*given)
    assert code == 2
    assert "--pos-label" in err
    assert run(*given, "--pos-label", "yes")[0] == 0


def broken(folder):
    """Write files that cannot be merged with the states of a day; return what is said of each."""
    good = pl.read_parquet(folder / "day-0.parquet")
    cut, junk = good["state"].to_list(), good["state"].to_list()
    cut[1], junk[2] = cut[1][:-4], b"no state"
    frames = {
        "cut": (good.with_columns(state=pl.Series(cut)), "row 1 of 'state': wanted"),
        "junk": (good.with_columns(state=pl.Series(junk)), "row 2 of 'state': these bytes are no"),
        "rows": (LOG, "has no column 'state', only ['site', 'y', 's', 'p', 'day']"),
        "texts": (good.with_columns(state=pl.lit("x")), "the column 'state' is String; wanted"),
        "kinds": (
            good.with_columns(state="scored"),
            "'state' holds states of predicted classes and of scores in bins",
        ),
        "alone": (good.drop("scored"), "has the states ['state'] and"),
        "keys": (good.rename({"day": "date"}), "has the keys ['site', 'date'] and"),
        "types": (good.with_columns(day=pl.lit(1)), "the key 'day' is Int32 in"),
        "labels": (
            cm.partial(
                LOG.with_columns(pl.col("y", "p") + 4).with_columns(
                    pl.col("y", "p").cast(pl.String)
                ),
                y_true="y",
                y_pred="p",
                by=["site", "day"],
            ).with_columns(good["scored"].gather([0] * 9)),
            "labels",
        ),
        "tables": (
            good.with_columns(state=pl.lit((folder / "day-0.bin").read_bytes())),
            "the column 'state' holds evaluations; wanted their",
        ),
    }
    for name, (frame, _) in frames.items():
        frame.write_parquet(folder / f"{name}.parquet")
    said = {f"{name}.parquet": words for name, (_, words) in frames.items()}
    data = (folder / "day-0.bin").read_bytes()
    for name, content, words in (
        ("empty.bin", b"", "holds no states: these bytes are not"),
        ("cut.bin", data[:-7], "holds no states: wanted"),
        ("text.bin", b"hello, world: nothing of ours", "holds no states: these bytes are not"),
        ("empty.parquet", b"", "cannot be read"),
        ("text.parquet", b"hello, world: nothing of ours", "cannot be read"),
        ("rows.csv", b"a,b\n1,2\n", "is text, which holds no states"),
        ("day.xlsx", b"PK", "holds no states"),
    ):
        (folder / name).write_bytes(content)
        said[name] = words
    return said


def test_files_that_are_no_states_are_refused_by_name(run, days):
    for name, words in broken(days).items():
        for files in ([days / "day-0.parquet", days / name], [days / name, days / "day-0.parquet"]):
            out = days / "out.parquet"
            for given in (["show"], ["merge", "--out", out]):
                code, printed, err = run(*given, *files)
                assert (code, printed) == (2, ""), name
                assert err.count("\n") == 1
                if files[1].name == name:
                    assert str(days / name) in err, err
                    assert words in err, err
                assert not out.exists()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["show", "nothing.parquet"], "no such file: nothing.parquet"),
        (["show", "day-0.parquet", "--by", "place"], "`--by` has the key 'place', and the keys"),
        (["show", "day-0.parquet", "--by", "site:month"], "'site' is String; wanted dates"),
        (["show", "day-0.parquet", "--by", "day:moon"], "wanted a unit of year, quarter, month"),
        (["show", "day-0.parquet", "--by", "day:hour"], "'day' is Date; wanted times"),
        (["show", "day-0.parquet", "--by", "day", "--by", "day"], "two keys called 'day'"),
        (["show", "day-0.parquet", "--whole", "--by", "day"], "give one of them"),
        (["show", "day-0.parquet", "--metrics", "acuracy"], "unknown metric 'acuracy'; did you"),
        (["show", "day-0.parquet", "--ci", "95"], "`--ci` is 95.0"),
        (["show", "day-0.parquet", "--ci", "nan"], "`--ci` is nan"),
        (["show", "day-0.parquet", "--out", "x.txt"], "must end in .json, .csv, .parquet"),
        (["show", "day-0.parquet", "--out", "day-0.parquet"], "which is read"),
        (["show", "day-0.parquet", "--max-memory", "lots"], "`--max-memory` is 'lots'"),
        (["merge", "day-0.parquet", "--out", "x.csv"], "`confmat show --out` writes metrics"),
        (["merge", "day-0.parquet", "--out", "day-0.parquet"], "which is read"),
        (["merge", "day-0.parquet"], "Missing option '--out'"),
        (["show"], "Missing argument"),
    ],
)
def test_options_that_cannot_be_are_refused(run, days, monkeypatch, given, words):
    monkeypatch.chdir(days)
    before = {path: path.read_bytes() for path in days.iterdir()}
    code, printed, err = run(*given)
    assert (code, printed) == (2, "")
    assert words in err
    assert {path: path.read_bytes() for path in days.iterdir()} == before


def test_memory_is_bounded(run, days, monkeypatch):
    monkeypatch.setattr(merging, "checked_memory", lambda _: 1_000)
    code, _, err = run("show", days / "day-*.parquet")
    assert code == 2
    assert "`--max-memory` allows 1 KB; give fewer or coarser keys in `--by`" in err


def test_days_without_rows_add_nothing(run, days):
    WHOLE.clear().write_parquet(days / "none.parquet")
    out = days / "all.parquet"
    assert run("merge", days / "none.parquet", days / "day-*.parquet", "--out", out)[0] == 0
    assert_frame_equal(pl.read_parquet(out), WHOLE)
    code, _, err = run("show", days / "none.parquet")
    assert (code, err) == (2, "error: the files hold no states\n")


def test_slices_that_overlap_are_refused(run, days):
    WHOLE.with_columns(grouping=pl.lit("site, day")).write_parquet(days / "cube.parquet")
    code, _, err = run("show", days / "cube.parquet", "--by", "site")
    assert code == 2
    assert "has a column 'grouping': it holds some rows in several slices" in err


@pytest.mark.usefixtures("merges")
def test_files_in_any_order_of_rows_are_merged(run, tmp_path):
    """Also where slices of a file are not sorted, and keys are nan."""
    size = pl.int_range(pl.len()) % 7
    log = LOG.with_columns(size=pl.when(size == 3).then(float("nan")).otherwise(size % 3))
    by = ["site", "size"]
    for at in range(5):
        rows = log.gather_every(5, at)
        part = cm.partial(rows.head(20 + 5 * at), **COLUMNS, by=by)
        more = cm.partial(rows.slice(20 + 5 * at), **COLUMNS, by=by)
        both = pl.concat([part, more]).sample(fraction=1, shuffle=True, seed=at)
        both.write_parquet(tmp_path / f"{at}.parquet")
    out = tmp_path / "all.parquet"
    assert run("merge", tmp_path / "*.parquet", "--out", out)[0] == 0
    assert_frame_equal(pl.read_parquet(out), cm.partial(log, **COLUMNS, by=by))


def test_more_files_than_are_read_at_once(run, tmp_path, monkeypatch):
    monkeypatch.setattr(merging, "_FILES", 3)
    for at in range(8):
        rows = LOG.gather_every(8, at)
        cm.partial(rows, **COLUMNS, by=["site", "day"]).write_parquet(tmp_path / f"{at}.parquet")
    out = tmp_path / "all.parquet"
    assert run("merge", tmp_path / "*.parquet", "--out", out)[0] == 0
    assert_frame_equal(pl.read_parquet(out), WHOLE)


def test_states_of_numbers_are_shown_and_merged(run, tmp_path):
    rows = pl.DataFrame({"y": [1.0, 2.0, 4.0], "p": [1.0, 2.5, 3.0], "site": ["a", "a", "b"]})
    parts = cm.partial(rows, y_true="y", y_pred="p", by="site", task="regression")
    parts.write_parquet(tmp_path / "r.parquet")
    code, out, err = run("show", tmp_path / "r.parquet", "--metrics", "mae")
    assert (code, err) == (0, "")
    assert "numbers, n = 3" in out
    assert "mae" in out
    merged = tmp_path / "m.parquet"
    assert run("merge", tmp_path / "r.parquet", "--whole", "--out", merged)[0] == 0
    assert cm.finish(pl.read_parquet(merged), ["mae"])["mae"].to_list() == [0.5]


def test_clusters_are_merged_away(run, tmp_path):
    rows = pl.DataFrame({"y": [0, 1, 1, 0], "p": [0, 1, 0, 0], "u": [1, 1, 2, 3]})
    e = cm.evaluate(rows, "y", "p", cluster="u")
    (tmp_path / "e.bin").write_bytes(e.to_bytes())
    code, out, _ = run("show", tmp_path / "e.bin")
    assert code == 0
    assert "cluster" not in out


def test_scores_of_two_models_are_merged_and_shown(run, tmp_path):
    rows = pl.DataFrame({"y": [0, 1, 1, 0], "a": [0.1, 0.8, 0.4, 0.3], "b": [0.2, 0.9, 0.1, 0.6]})
    options = {"y_true": "y", "y_score_a": "a", "y_score_b": "b"}
    parts = cm.joint_parts(rows.with_columns(day=pl.Series([1, 1, 2, 2])), by="day", **options)
    for name in ("one", "two"):
        parts.write_parquet(tmp_path / f"{name}.parquet")
    (tmp_path / "state.bin").write_bytes(cm.joint_sweep(rows["y"], rows["a"], rows["b"]).to_bytes())
    out = tmp_path / "all.parquet"
    files = [tmp_path / f"{name}.parquet" for name in ("one", "two")]
    code, printed, _ = run("merge", *files, "--out", out)
    assert code == 0
    assert "joint: scores of two models" in printed
    assert_frame_equal(
        pl.read_parquet(out), cm.merge(pl.concat([parts, parts]), by="day"), check_row_order=False
    )
    code, printed, _ = run("show", tmp_path / "state.bin")
    assert code == 0
    assert "scores of two models" in printed


def test_every_kind_of_state_has_a_name():
    from confmat.logs.state_files import kind_name
    from confmat.objects import states

    assert {kind_name(kind) for kind in states._READERS}
