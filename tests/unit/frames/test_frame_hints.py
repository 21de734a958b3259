"""What an error of a plan or of `evaluate` advises works at the door that says it."""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from polars.exceptions import ComputeError

import confmat as cm
from confmat.labels import shown

FRAME = pl.DataFrame(
    {
        "g": [1, 1, 2, 2],
        "y": [0, 1, 2, 1],
        "p": [0, 2, 2, 1],
        "t": ["a", "b", "c", "b"],
        "q": ["a", "c", "c", "b"],
        "s": [0.1, 0.9, float("nan"), 0.3],
        "b": [False, True, True, False],
        "f": [0.5, 1.5, 0.25, 1.0],
        "d": [None, None, None, None],
    },
    schema_overrides={"d": pl.Date},
)
Door = Callable[..., Any]


def grouped(make: Callable[..., pl.Expr]) -> Door:
    return lambda **options: FRAME.lazy().group_by("g").agg(make(**options)).collect()


def whole(make: Callable[..., pl.Expr]) -> Door:
    return lambda **options: FRAME.select(make(**options))


def of_labels(**options: Any) -> dict[str, Door]:
    """Every door of true and predicted labels, with these options."""
    given = {"y_true": "y", "y_pred": "p"} | options
    truth, pred = given.pop("y_true"), given.pop("y_pred")
    names = given.pop("metrics", ["accuracy"])

    def many(**more: Any) -> pl.Expr:
        return cm.metrics(truth, pred, names, **given | more)

    def one(**more: Any) -> pl.Expr:
        return cm.metric(names[0], truth, pred, **given | more)

    def method(**more: Any) -> pl.Expr:
        return getattr(pl.col(truth).cm, names[0])(pred, **given | more)

    frames = [FRAME.lazy(), FRAME]

    def evaluate(frame: Any, **more: Any) -> Any:
        return frame.cm.evaluate(truth, pred, metrics=names, **given | more).lazy().collect()

    doors = {f"metrics-{i}": how(many) for i, how in enumerate((grouped, whole))}
    doors |= {f"metric-{i}": how(one) for i, how in enumerate((grouped, whole))}
    doors |= {f"method-{i}": how(method) for i, how in enumerate((grouped, whole))}
    for at, frame in enumerate(frames):
        for by in (None, "g", ["g", "b"]):
            doors[f"evaluate-{at}-{by}"] = lambda frame=frame, by=by, **more: evaluate(
                frame, by=by, **more
            )
    return doors


def of_scores(names: list[str], **given: Any) -> dict[str, Door]:
    """Every door of true labels and scores."""
    truth, score = given.pop("y_true", "b"), given.pop("y_score", "s")

    def many(**more: Any) -> pl.Expr:
        return cm.sweep_metrics(truth, score, names, **given | more)

    def method(**more: Any) -> pl.Expr:
        return getattr(pl.col(truth).cm, names[0])(score, **given | more)

    def roc(**more: Any) -> pl.Expr:
        return pl.col(truth).cm.roc_curve(score, **given | more)

    doors: dict[str, Door] = {}
    for name, make in {"sweep_metrics": many, "method": method, "roc_curve": roc}.items():
        for i, how in enumerate((grouped, whole)):
            doors[f"{name}-{i}"] = how(make)

    def evaluate(frame: Any, by: Any, **more: Any) -> Any:
        found = frame.cm.evaluate(truth, None, score, metrics=names, by=by, **given | more)
        return found.lazy().collect()

    for at, frame in enumerate([FRAME.lazy(), FRAME]):
        for by in (None, "g"):
            doors[f"evaluate-{at}-{by}"] = lambda frame=frame, by=by, **more: evaluate(
                frame, by, **more
            )
    return doors


# What Polars says first: of plugins, and before 2.0 of sources.
LEADS = (
    "the plugin failed with message: ",
    "caught exception during execution of a Python source, exception: InputError: ",
)


def told(door: Door, **options: Any) -> str:
    """Return the message, without the words that Polars puts around it."""
    with pytest.raises((cm.InputError, ComputeError)) as caught:
        door(**options)
    message = str(caught.value)
    if issubclass(caught.type, cm.InputError):
        return message
    for lead in LEADS:
        if message.startswith(lead):
            return message.removeprefix(lead).split("\n\n")[0]
    raise AssertionError(message)


ADVICE = [
    (of_labels(labels=[0, 1]), 'other="bucket"', {"other": "bucket"}),
    (of_labels(labels=[0, 1]), "", {"labels": [0, 1, 2]}),
    (of_labels(y_true="t", y_pred="q", labels=["a", "b"]), 'other="bucket"', {"other": "bucket"}),
    (of_labels(metrics=["precision"], labels=[0, 1, 2]), "give pos_label", {"pos_label": 1}),
    (
        of_labels(y_true="t", y_pred="q", metrics=["precision"], labels=["a"], other="bucket"),
        "give pos_label",
        {"pos_label": "a"},
    ),
    (
        of_labels(y_true="t", y_pred="q", metrics=["precision"]),
        "give pos_label",
        {"pos_label": "a"},
    ),
    (of_scores(["roc_auc"]), 'nan="drop"', {"nan": "drop"}),
    (of_scores(["roc_auc"], y_true="t", y_score="g"), "pos_label", {"pos_label": "b"}),
    (of_scores(["roc_auc"], y_true="y", y_score="g"), "pos_label", {"pos_label": 1}),
]


@pytest.mark.parametrize(
    ("door", "hint", "remedy"),
    [
        pytest.param(door, hint, remedy, id=f"{at}-{name}")
        for at, (doors, hint, remedy) in enumerate(ADVICE)
        for name, door in doors.items()
    ],
)
def test_the_advice_works_where_it_is_given(door: Door, hint: str, remedy: dict[str, Any]) -> None:
    assert hint in told(door)
    if hint != "pos_label":
        door(**remedy)
        return
    # A slice may hold three classes: there the next advice follows, see below.
    try:
        door(**remedy)
    except (cm.InputError, ComputeError):
        assert "beside pos_label" in told(door, **remedy)


@pytest.mark.parametrize("name", ["roc_auc", "brier"])
def test_one_class_of_several_against_the_rest(name: str) -> None:
    frame = FRAME.with_columns(s=pl.col("f") / 2)

    def asked(truth: Any, **more: Any) -> pl.Expr:
        return cm.sweep_metrics(truth, "s", [name], **more)

    for pos, column in ((1, "y"), ("b", "t")):
        with pytest.raises(
            ComputeError, match=f"beside pos_label {pos}.*compare `y_true` == label"
        ):
            frame.select(asked(column, pos_label=pos))
        frame.select(asked(pl.col(column) == pos))


MADE = [
    ("metrics", {"metrics": ["roc_auc"]}, "sweep_metrics", ("b", "f")),
    ("evaluate", {"metrics": ["roc_auc"]}, "give `y_score`", {"y_score": "f", "y_true": "b"}),
    (
        "evaluate",
        {"y_true": "b", "y_pred": None, "y_score": "f", "metrics": ["mcc"]},
        "give `y_pred`",
        {"y_pred": "b"},
    ),
    ("evaluate", {"by": "n"}, "which is not there; the columns are", {"by": "g"}),
    ("evaluate", {"cube": True}, "needs columns in `by`", {"by": "g"}),
]


@pytest.mark.parametrize(("door", "wrong", "hint", "remedy"), MADE)
def test_advice_of_arguments(door: str, wrong: dict[str, Any], hint: str, remedy: Any) -> None:
    frame = FRAME.with_columns(f=pl.col("f") / 2)
    if door == "metrics":
        with pytest.raises(cm.InputError, match=hint):
            cm.metrics("y", "p", **wrong)
        frame.select(getattr(cm, hint)(*remedy, **wrong))
        return
    given = {"y_true": "y", "y_pred": "p"} | wrong
    for each in (frame, frame.lazy()):
        with pytest.raises(cm.InputError, match=hint):
            each.cm.evaluate(**given)
        each.cm.evaluate(**given | remedy).lazy().collect()


def test_a_misspelt_metric_names_those_that_work() -> None:
    makes: list[tuple[Door, str]] = [
        (lambda name: cm.metrics("y", "p", [name]), "f1_macor"),
        (lambda name: cm.metric(name, "y", "p"), "f1_macor"),
        (lambda name: FRAME.cm.evaluate("y", "p", metrics=[name]), "f1_macor"),
        (lambda name: cm.sweep_metrics("b", "f", [name]), "roc_auk"),
    ]
    for make, wrong in makes:
        with pytest.raises(cm.InputError, match="did you mean") as caught:
            make(wrong)
        found = re.search(r"did you mean '?(\w+)", str(caught.value))
        assert found is not None
        make(found[1])


@pytest.mark.parametrize(
    ("name", "average", "meant"),
    [("f1", "macro", "f1_macro"), ("fbeta(2)", "micro", "fbeta_micro(2)"), ("f1", "min", "f1_min")],
)
def test_an_average_beside_a_name_is_said_to_be_in_it(name: str, average: str, meant: str) -> None:
    with pytest.raises(cm.InputError) as caught:
        cm.metric(name, "y", "p", average=average)
    assert str(caught.value) == f"`average` is {average!r}; wanted it in `name`: {meant!r}"
    FRAME.select(cm.metric(meant, "y", "p"))
    with pytest.raises(cm.InputError, match=r"`average` is 'mean'; wanted 'macro', 'micro', "):
        cm.metric(name, "y", "p", average="mean")


def test_an_average_of_an_expression_is_another_method() -> None:
    with pytest.raises(TypeError, match="argument 'average'; did you mean `f1_macro`"):
        pl.col("y").cm.f1("p", average="macro")
    FRAME.select(pl.col("y").cm.f1_macro("p"))


def test_brackets_in_the_middle_of_a_name() -> None:
    message = r"'fbeta\(2\)_macro': its brackets must be the end .*; did you mean '([^']*)'"
    doors: list[Door] = [
        lambda name: FRAME.select(cm.metric(name, "y", "p")),
        lambda name: cm.confusion_matrix([0, 1], [0, 1]).value(name),
        lambda name: FRAME.cm.evaluate("y", "p", metrics=[name]),
    ]
    for door in doors:
        with pytest.raises(cm.InputError, match=message) as caught:
            door("fbeta(2)_macro")
        found = re.search(message, str(caught.value))
        assert found is not None
        door(found[1])
        with pytest.raises(cm.InputError, match=r"must be the end of the name$"):
            door("fbeta(2)macro")
        with pytest.raises(cm.InputError, match=r"a closing '\)' is missing$"):
            door("fbeta(2")


def test_a_metric_of_scores_is_named_by_the_argument_that_has_it() -> None:
    for name, door in (("roc_auc", "sweep_metrics"), ("mae", "regression_metrics")):
        with pytest.raises(cm.InputError, match=f"^`name` is '{name}', a metric of .*`{door}`"):
            cm.metric(name, "b", "f")
        FRAME.select(getattr(cm, door)("b" if name == "roc_auc" else "y", "f", [name]))


def test_labels_too_long_for_an_expression() -> None:
    long = ["x" * 60_000 + str(i) for i in range(20)]
    with pytest.raises(
        cm.InputError, match="Give shorter labels, an Enum column, or integer codes"
    ):
        cm.metrics("t", "q", labels=long)
    kind = pl.Enum(long)
    frame = pl.DataFrame({"t": long[:2], "q": long[1:3]}).cast(kind)
    assert frame.select(cm.metrics("t", "q", ["accuracy"])).item()["accuracy"] == 0.0
    codes = frame.with_columns(pl.all().to_physical())
    assert codes.select(cm.metrics("t", "q", ["accuracy"])).item()["accuracy"] == 0.0


@pytest.mark.parametrize("column", ["d"])
def test_a_dtype_that_holds_no_labels(column: str) -> None:
    for door in (*of_labels(y_true=column).values(), *of_labels(y_pred=column).values()):
        message = told(door)
        assert "`y_true`" in message or "`y_pred`" in message
        assert "wanted" in message


NASTY = [
    "\x1b[31mred",
    "line\nend",
    "\u202eflip",
    " blank ",
    "",
    "caf\u00e9 \U0001f600",
    "a\u200bb",
]


def test_labels_in_messages_and_reasons_are_escaped() -> None:
    frame = pl.DataFrame({"y": NASTY, "p": NASTY[1:] + NASTY[:1], "g": [1] * len(NASTY)})
    asked = cm.metrics("y", "p", ["precision"], pos_label=NASTY[0], labels=NASTY, reasons=True)
    one = pl.DataFrame({"y": NASTY[:1], "p": NASTY[1:2]})
    said = one.select(asked).item()["reasons"]["precision"]
    assert said == "class \\x1b[31mred: tp + fp = 0"
    messages = [
        told(lambda: frame.select(cm.metrics("y", "p", ["precision"], labels=NASTY[2:]))),
        told(lambda: frame.select(cm.metrics("y", "p", ["precision"]))),
        told(lambda: frame.select(cm.metrics("y", "p", ["acc\x1buracy"]))),
        told(lambda: frame.cm.evaluate("y", "p", labels=NASTY[2:])),
        told(lambda: frame.cm.evaluate("y", "p", by="\x1b[31m")),
        told(lambda: frame.cm.evaluate("y", "p", by="g", pos_label="\x1b", metrics=["precision"])),
        told(lambda: cm.sweep_metrics("y", "p", ["\x1b"])),
        told(lambda: frame.select(cm.sweep_metrics("y", pl.lit(0.5), pos_label=NASTY[0]))),
        told(lambda: cm.sweep(frame["y"], [0.5] * len(NASTY), pos_label=NASTY[0])),
        told(lambda: cm.confusion_matrix(frame["y"], frame["p"], labels=NASTY[2:])),
        told(lambda: cm.f1(frame["y"], frame["p"])),
    ]
    for message in messages:
        assert message.isprintable(), ascii(message)
        assert "\\x1b" in message or "x1b" not in ascii(message)


def test_what_the_core_shows_is_what_python_shows() -> None:
    # Every character that Unicode has given a meaning.
    points = [c for c in range(1, 0x30000) if unicodedata.category(chr(c)) not in ("Cs", "Cn")]
    texts = ["x" + "".join(map(chr, points[i : i + 64])) + "y" for i in range(0, len(points), 64)]
    texts += NASTY
    for text in texts:
        frame = pl.DataFrame({"y": [text], "p": ["other"]})
        said = frame.select(
            cm.metrics(
                "y", "p", ["precision"], labels=["other", text], pos_label=text, reasons=True
            )
        ).item()["reasons"]["precision"]
        assert said == f"class {shown(text)}: tp + fp = 0"
