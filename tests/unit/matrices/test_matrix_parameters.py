"""Metrics with parameters, as numbers or as the names of means."""

import numpy as np
import polars as pl
import pytest

import confmat as cm
from confmat.suffixes import POWER, UNLISTED

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 4, 3_000)
P = np.where(RNG.random(3_000) < 0.6, Y, RNG.integers(0, 4, 3_000))
M = cm.confusion_matrix(Y, P)
BINARY = cm.ConfusionMatrix([[90, 10], [20, 80]])


def test_parameters():
    assert BINARY.value("fbeta", beta=1) == BINARY.f1
    assert BINARY.value("fbeta", beta=2) == pytest.approx(5 * 80 / (5 * 80 + 4 * 20 + 10))
    assert BINARY.value("fbeta(0.5)") == BINARY.value("fbeta", beta=0.5)
    with pytest.raises(cm.InputError, match="`mcc` has no parameter `beta`; it takes none"):
        BINARY.value("mcc", beta=2)
    with pytest.raises(cm.InputError, match="no parameter `bta`; it takes beta"):
        BINARY.value("fbeta", bta=2)
    with pytest.raises(cm.InputError, match=r"`fbeta.2.` has `beta` in its name and as an"):
        BINARY.value("fbeta(2)", beta=2)
    with pytest.raises(cm.InputError, match="`beta` is 'a'"):
        BINARY.value("fbeta", beta="a")
    with pytest.raises(cm.InputError, match="no metric"):
        BINARY.value("fbetaa", beta=2)


@pytest.mark.parametrize("average", sorted(UNLISTED.keys() - {POWER}))
def test_parameters_of_averages_that_are_not_listed(average):
    assert M.value("fbeta", average=average, beta=2) == M[f"fbeta_{average}(2)"]
    assert M.value(f"fbeta_{average}", beta=2) == M[f"fbeta_{average}(2)"]
    assert M.value("fbeta", average=average, beta=1) == M[f"f1_{average}"]
    assert M.value("generalized_f1", p=average) == M[f"generalized_f1({average})"]
    assert M.value("generalized_f1", p=average) == pytest.approx(M[f"f1_{average}"], rel=1e-14)
    assert M.value("phi", "macro", p=average) == M[f"phi_macro({average})"]
    assert M.reason("fbeta", average, beta=2) is None


@pytest.mark.parametrize("p", [-2.5, -1, 0, 0.5, 1, 3, "geometric", "min"])
def test_power_means_of_any_metric(p):
    def mean(values):
        found = {"geometric": 0, "min": -np.inf}.get(p, p)
        if np.isinf(found):
            return values.min()
        return (
            np.exp(np.log(values).mean()) if found == 0 else np.mean(values**found) ** (1 / found)
        )

    recalls = M.per_class(["recall"])["recall"].to_numpy()
    assert M.value("recall", "power", p=p) == pytest.approx(mean(recalls), rel=1e-13)
    assert M.value("recall_power", p=p) == M[f"recall_power({p})"] == M.value(f"tpr_power(p={p})")
    doubled = M.per_class(["fbeta(2)"])["fbeta(2)"].to_numpy()
    assert M.value("fbeta", "power", beta=2, p=p) == pytest.approx(mean(doubled), rel=1e-13)
    assert M[f"fbeta_power(2,{p})"] == M[f"f2_power({p})"] == M.value("f2_power", p=p)
    means = M.per_class(["phi(0)"])["phi(0)"].to_numpy()
    assert M.value("phi", "power", p=0, mean_p=p) == pytest.approx(mean(means), rel=1e-13)
    assert M.n_used("recall", "power", p=p) == 4


def test_power_means_at_every_door():
    frame = pl.DataFrame({"y": Y, "p": P})
    wanted = M.value("recall_power(3)")
    assert cm.recall(Y, P, average="power", p=3) == wanted
    assert cm.fbeta(Y, P, average="power", beta=2, p="min") == M["fbeta_power(2,min)"]
    assert cm.phi(Y, P, average="power", p=0, mean_p=2) == M["phi_power(0,2)"]
    assert frame.select(cm.metric("recall_power(3)", "y", "p")).item() == wanted
    assert frame.cm.evaluate("y", "p", metrics=["recall_power(3)"])["recall_power(3)"][0] == wanted
    e = cm.evaluate(frame, y_true="y", y_pred="p", metrics=["recall_power(3)"])
    assert e.overall()["value"].item() == wanted
    assert cm.from_bytes(M.to_bytes()).value("recall_power(3)") == wanted
    inside = M.ci("recall_power(3)")
    assert inside.low < wanted < inside.high
    cube = M.ci("generalized_f1(3)")
    assert M.ci("f1_power(3)").se == pytest.approx(cube.se, rel=1e-12)
    with pytest.raises(cm.InputError, match='`p` is the exponent of average="power"; `average` is'):
        cm.recall(Y, P, average="macro", p=3)
    with pytest.raises(cm.InputError, match="there is no markedness_power: markedness can"):
        M.value("markedness_power")
    with pytest.raises(cm.InputError, match="`recall_power` has no parameter `q`; it takes p"):
        M.value("recall_power", q=3)
    with pytest.raises(cm.InputError, match=r"'recall_power\(nan\)': the parameter must be p"):
        M.value("recall_power(nan)")


def test_power_means_of_thresholds():
    scores = np.random.default_rng(2).random(500)
    sweep = cm.sweep(scores + np.random.default_rng(3).random(500) > 1, scores)
    table = sweep.table(["recall_power(3)", "phi_power(0,-2)"])
    for row in table.sample(9, seed=1).iter_rows(named=True):
        m = sweep.at(row["threshold"])
        for name in ("recall_power(3)", "phi_power(0,-2)"):
            assert row[name] == pytest.approx(m.value(name), rel=1e-13), row


def test_names_of_means_are_of_exponents_only():
    assert M.value("generalized_f1", p="arithmetic") == M.f1_macro
    with pytest.raises(cm.InputError, match="`beta` is 'min'; wanted a number"):
        M.value("fbeta", "macro", beta="min")
    with pytest.raises(cm.InputError, match="`p` is 'mean'; wanted a number or one of harmonic"):
        M.value("generalized_f1", p="mean")
    with pytest.raises(cm.InputError, match="'gmcc_mean\\(max\\)': the parameter must be p"):
        M.value("gmcc_mean", p="max")
    with pytest.raises(cm.InputError, match="can be negative"):
        M.value("informedness", "geometric")


TVERSKY = [
    ({}, 80 / (80 + 0.5 * 10 + 0.5 * 20)),
    ({"alpha": 0.25}, 80 / (80 + 0.25 * 10 + 0.75 * 20)),
    ({"alpha": 0.25, "beta": 2}, 80 / (80 + 0.25 * 10 + 2 * 20)),
    ({"beta": 2}, 80 / (80 + 0.5 * 10 + 2 * 20)),
    ({"alpha": 3, "beta": 0}, 80 / (80 + 3 * 10)),
    ({"alpha": 0.25, "beta": None}, 80 / (80 + 0.25 * 10 + 0.75 * 20)),
]


@pytest.mark.parametrize(("given", "wanted"), TVERSKY)
def test_several_parameters_at_every_door(given, wanted):
    y, p = (np.repeat(labels, [90, 10, 20, 80]) for labels in ([0, 0, 1, 1], [0, 1, 0, 1]))
    frame = pl.DataFrame({"y_true": y, "y_pred": p})
    assert BINARY.value("tversky", **given) == pytest.approx(wanted, rel=1e-15)
    assert cm.tversky(y, p, **given) == BINARY.value("tversky", **given)
    method = frame.select(pl.col("y_true").cm.tversky("y_pred", **given)).item()
    assert method == BINARY.value("tversky", **given)
    macro = BINARY.value("tversky", "macro", **given)
    assert cm.tversky(y, p, average="macro", **given) == macro
    words = ", ".join(f"{key}={value}" for key, value in given.items() if value is not None)
    if words:
        assert BINARY.value(f"tversky({words})") == BINARY.value("tversky", **given)
        assert BINARY[f"tversky_macro({words})"] == macro


def test_several_parameters_in_a_name():
    names = ["tversky(0.25,2)", "tversky( 0.25 , beta = 2 )", "tversky(beta=2,alpha=0.25)"]
    assert len({BINARY.value(name) for name in names}) == 1
    frame = pl.DataFrame({"y": [1, 1, 0], "p": [1, 0, 1]})
    found = frame.select(cm.metrics("y", "p", names[:1])).unnest(pl.all())["tversky(0.25,2)"].item()
    assert found == pytest.approx(1 / 3.25)
    fact = cm.list_metrics("tversky_index").row(0, named=True)
    assert fact["params"] == ["alpha=0.5", "beta"]
    assert BINARY.reason("tversky", alpha=1, beta=0) is None
    empty = cm.ConfusionMatrix([[5, 0], [4, 0]])
    assert empty.reason("tversky", alpha=1, beta=0) == ("class 1: tp + alpha * fp + beta * fn = 0")


@pytest.mark.parametrize(
    "words", ["0.1,0.2,0.3", "0.1,", "", ",0.1", "alpha=1,alpha=2", "beta=1,2", "gamma=1", "nan,1"]
)
def test_parameters_in_a_name_that_do_not_fit(words):
    wanted = (
        r"the parameters must be alpha, a number from 0 to 1e\+60, and beta, a number from 0 to"
    )
    with pytest.raises(cm.InputError, match=wanted):
        BINARY.value(f"tversky({words})")


def test_what_one_parameter_leaves_of_one_is_in_range():
    with pytest.raises(cm.InputError, match="1 - alpha where it is not given"):
        BINARY.value("tversky", alpha=2)
    with pytest.raises(cm.InputError, match="`alpha` is None; wanted a number"):
        BINARY.value("tversky", alpha=None, beta=1)
    with pytest.raises(cm.InputError, match="no parameter `gamma`; it takes alpha, beta"):
        BINARY.value("tversky", gamma=2)


@pytest.mark.parametrize(
    ("name", "plain"), [("fbeta (2)", "fbeta(2)"), ("tversky (0.3, 2)", "tversky(0.3,2)")]
)
def test_a_blank_in_front_of_the_brackets_changes_nothing(name, plain):
    frame = pl.DataFrame({"y": [0, 1, 1, 1], "p": [0, 1, 0, 1], "s": [0.1, 0.8, 0.3, 0.9]})
    wanted = frame.cm.evaluate("y", "p", metrics=[plain])[plain].item()
    assert frame.cm.evaluate("y", "p", metrics=[name])[name].item() == wanted
    assert frame.select(cm.metrics("y", "p", [name])).unnest("metrics")[name].item() == wanted
    assert cm.confusion_matrix(frame["y"], frame["p"]).value(name) == wanted
    scored = frame.cm.evaluate("y", "p", y_score="s", metrics=[name, "ece (5)"])
    assert scored[name].item() == wanted
    sweep = cm.sweep(frame["y"], frame["s"])
    assert scored["ece (5)"].item() == sweep.value("ece (5)") == sweep.value("ece", bins=5)


def test_exponents_of_two_means_have_two_symbols():
    formula = cm.ConfusionMatrix([[3, 1], [2, 4]]).explain("phi_power(2,3)").formula
    assert formula.endswith(r"\right)^q\right)^{1/q}")
    assert "{p}" in formula


@pytest.mark.parametrize("metric", ["recall", "f1", "tversky"])
def test_a_class_without_hits_keeps_the_spread_of_the_others(metric):
    m = cm.ConfusionMatrix([[3, 0, 0], [0, 4, 1], [2, 0, 0]])
    macro = m.ci(f"{metric}_macro").se
    call = f"{metric}_power({{}})" if metric != "tversky" else "tversky_power(0.5,0.5,{})"
    assert m.ci(call.format(0.999)).se == pytest.approx(macro, rel=2e-3)
    assert 0 < m.ci(call.format(0.5)).se < macro
