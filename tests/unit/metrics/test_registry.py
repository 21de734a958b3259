"""The list of metrics, and the look-ups behind it."""

import math
import re
from typing import get_args

import polars as pl
import pytest

import confmat as cm
from confmat import _core, metric_list, registry
from confmat.callables.bodies import Average
from confmat.suffixes import AVERAGES, MEANS, UNLISTED

SCHEMA = {
    "name": pl.String,
    "summary": pl.String,
    "aliases": pl.List(pl.String),
    "symbol": pl.String,
    "formula": pl.String,
    "lo": pl.Float64,
    "hi": pl.Float64,
    "better": pl.String,
    "level": pl.String,
    "averages": pl.List(pl.String),
    "params": pl.List(pl.String),
    "undefined": pl.String,
    "reference": pl.String,
}


def test_list_metrics_schema():
    listed = cm.list_metrics()
    assert listed.schema == pl.Schema(SCHEMA)
    assert sum(listed.null_count().row(0)) == 0


def test_names_and_aliases_are_unique():
    listed = cm.list_metrics()
    known = listed["name"].to_list() + listed["aliases"].explode().drop_nulls().to_list()
    assert len(known) == len(set(known))


def test_values_of_the_columns():
    listed = cm.list_metrics()
    assert set(listed["better"]) <= {"higher", "lower", "neither"}
    assert set(listed["level"]) == {"overall", "class", "average", "score", "regression"}
    assert (listed["lo"] < listed["hi"]).all()


@pytest.mark.parametrize(
    "name", ["accuracy", "mcc", "gmcc", "eve", "kappa", "precision", "recall_macro", "f1_micro"]
)
def test_promised_names_are_listed(name):
    assert name in cm.list_metrics()["name"]


def test_one_row_has_the_facts():
    row = cm.list_metrics().row(by_predicate=pl.col("name") == "mcc", named=True)
    assert (row["lo"], row["hi"], row["better"], row["level"]) == (-1, 1, "higher", "overall")
    assert row["formula"]


def test_every_listed_name_can_be_asked_for():
    matrix = cm.ConfusionMatrix([[5, 2], [1, 7]])
    sweep = cm.sweep([0, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.4])
    for name, level, lo, hi in cm.list_metrics().select("name", "level", "lo", "hi").rows():
        if level == "score":
            value = sweep.value(name)
        elif level == "regression":
            asked = f"{name}(2)" if registry.required(registry.find(name)) else name
            value = cm.regression([3.0, 0.5, 2.0], [2.5, 1.0, 2.0], metrics=asked).value(asked)
        else:
            value = matrix.value(name, pos_label=1 if level == "class" else None)
        assert math.isnan(value) or lo - 1e-12 <= value <= hi + 1e-12, name


def test_find_takes_aliases_and_parameters():
    assert registry.find("mcc")["name"] == "mcc"
    assert registry.find("fbeta(2)")["name"] == "fbeta"
    for fact in registry.facts():
        for alias in fact["aliases"]:
            assert registry.find(alias)["name"] == fact["name"]


def test_find_names_the_nearest():
    with pytest.raises(cm.InputError, match="precision"):
        registry.find("precison")


def test_name_with_parameters():
    assert registry.name_with("fbeta", [1]) == "fbeta"
    assert registry.name_with("fbeta", [2]) == "fbeta(2)"
    assert registry.name_with("fbeta_macro", [0.1]) == "fbeta_macro(0.1)"


def test_name_with_the_name_of_a_mean():
    assert registry.name_with("generalized_f1", ["min"]) == "generalized_f1(min)"
    assert registry.name_with("generalized_f1", ["harmonic"]) == "generalized_f1"
    assert registry.name_with("generalized_f1", [-math.inf]) == "generalized_f1(-inf)"
    with pytest.raises(cm.InputError, match=r"`beta` is 'min'; wanted a number$"):
        registry.name_with("fbeta", ["min"])
    with pytest.raises(cm.InputError, match="`p` is 'mean'; wanted a number or one of harmonic"):
        registry.name_with("generalized_f1", ["mean"])


def test_names_with_parameters_that_others_leave_out():
    assert registry.name_with("tversky_power", [0.5, None, 3]) == "tversky_power(0.5,p=3)"
    assert registry.name_with("tversky_power", [0.3, 2, "min"]) == "tversky_power(0.3,2,min)"
    assert registry.name_with("tversky_power", [0.5, None, 1]) == "tversky_power"


def test_the_exponent_of_a_mean_stands_behind_what_a_metric_takes():
    def shown(name):
        return [
            (one["name"], one["value"], one["exponent"]) for one in registry.find(name)["params"]
        ]

    assert shown("recall_power") == [("p", 1.0, True)]
    assert shown("fbeta_power") == [("beta", 1.0, False), ("p", 1.0, True)]
    assert shown("phi_power") == [("p", -1.0, True), ("mean_p", 1.0, True)]
    assert shown("fbeta_min") == [("beta", 1.0, False)]
    assert shown("f2_power") == [("p", 1.0, True)]
    assert registry.exponent_of_mean("phi") == "mean_p"
    assert registry.exponent_of_mean("informedness") is registry.exponent_of_mean("tp") is None
    listed = cm.list_metrics("fbeta_power").row(0, named=True)
    assert listed["params"] == ["beta=1", "p=1"]
    assert "any exponent" in listed["summary"]


def test_averages_are_those_of_the_core():
    assert [one["name"] for one in _core.averages()] == list(AVERAGES)
    spelled = {word for of in get_args(Average) for word in get_args(of) or (of,)}
    assert spelled == {"binary", *AVERAGES}
    assert list(MEANS) == ["harmonic", "geometric", "arithmetic", "quadratic", "min", "max"]
    exponents = [one for fact in metric_list.listed() for one in fact["params"] if one["exponent"]]
    texts = {one["text"] for one in exponents}
    assert f"exponent of the mean over the classes: {', '.join(MEANS)} or a number" in texts


def test_levels_are_those_of_the_facts():
    everything = (*registry.facts(), *registry.score_facts(), *registry.regression_facts())
    assert list(registry.levels().items()) == [(f["name"], f["level"]) for f in everything]


def test_find_knows_averages_that_are_not_listed():
    matrix = cm.ConfusionMatrix([[5, 2, 1], [1, 7, 0], [2, 2, 4]])
    for base in registry.names("class"):
        if not registry.averages(base):
            continue
        for suffix in UNLISTED:
            name = registry.averages(base)["macro"].replace("_macro", f"_{suffix}")
            try:
                matrix.value(name)
            except cm.InputError as error:
                with pytest.raises(cm.InputError, match=re.escape(str(error))):
                    registry.find(name)
                continue
            fact = registry.find(name)
            assert (fact["name"], fact["base"], fact["average"]) == (name, base, suffix)
            assert fact["formula"].count("{") == fact["formula"].count("}")
            assert fact["formula"].count(r"\left") == fact["formula"].count(r"\right")
    assert registry.find("sensitivity_max(1)")["base"] == "recall"
    assert registry.find("mcc_min")["base"] == "mcc_binary"
    assert registry.find("f1_max")["formula"].startswith(r"\max_k \left(\frac{2\, \mathrm{tp}_k}")
    for wrong in ("f1_macro_min", "_min", "min"):
        with pytest.raises(cm.InputError, match="no metric is named"):
            registry.find(wrong)


def test_averages_of_a_row():
    assert registry.averages("f1")["macro"] == "f1_macro"
    assert {"macro", "micro", "weighted"} <= set(registry.averages("f1"))
    assert registry.averages("mcc") == {}


def test_list_metrics_of_a_level():
    listed = cm.list_metrics()
    for level in ("overall", "class", "average", "score", "regression"):
        assert cm.list_metrics(level=level).equals(listed.filter(level=level))
        assert cm.list_metrics(level=level).height > 0
    with pytest.raises(cm.InputError, match="`level` is 'scores'; wanted one of overall, class"):
        cm.list_metrics(level="scores")


def test_list_metrics_of_a_word():
    listed = cm.list_metrics()
    assert "informedness" in cm.list_metrics("YOUDEN")["name"]  # an alias
    assert "mcc" in cm.list_metrics("correlation")["name"]  # in the summary
    of_f1 = cm.list_metrics("f1")
    assert set(of_f1.filter(pl.col("level") != "elsewhere")["name"]) < set(listed["name"])
    assert of_f1.filter(level="elsewhere")["name"].to_list() == ["f1_samples"]
    assert cm.list_metrics("nothing of the kind").is_empty()
    assert cm.list_metrics("f1", level="class")["name"].to_list() == ["f1", "f1_negative"]
    with pytest.raises(cm.InputError, match="`search` is 3; wanted a text"):
        cm.list_metrics(3)


def test_searches_lead_to_numbers_that_are_no_metrics_by_name():
    found = cm.list_metrics("AMI")
    row = found.row(0, named=True)
    assert found.height == 1
    assert "ami" in (row["name"], *row["aliases"])
    assert row["summary"] == "a matrix m has it as m.adjusted_mutual_information()"
    assert (row["level"], row["lo"], row["params"]) == ("elsewhere", None, [])
    assert cm.list_metrics("fleiss")["name"].to_list() == ["fleiss_kappa"]
    assert "elsewhere" not in cm.list_metrics()["level"]
    assert cm.list_metrics("ami", level="average").is_empty()
    everywhere = cm.list_metrics(level="elsewhere")
    names = {*everywhere["name"], *everywhere["aliases"].explode().drop_nulls()}
    assert names == set(registry.elsewhere())
    assert everywhere.schema == cm.list_metrics().schema


def test_every_name_that_works_is_listed():
    listed = cm.list_metrics()
    matrix = cm.ConfusionMatrix([[5, 2], [1, 7]])
    classes = listed.filter(level="class")
    for name, averages in classes.select("name", "averages").rows():
        stem = {"mcc_binary": "mcc"}.get(name, name)
        for suffix in AVERAGES:
            asked = f"{stem}_{suffix}"
            try:
                matrix.value(asked)
            except cm.InputError:
                assert suffix not in averages
            else:
                assert suffix in averages or asked in listed.filter(level="class")["name"]
                assert asked in listed["name"], asked
    row = listed.row(by_predicate=pl.col("name") == "fbeta", named=True)
    assert row["params"] == ["beta=1"]
    assert row["summary"].endswith(".")


def test_metrics_of_numbers_say_where_they_are():
    with pytest.raises(cm.InputError, match=r"a metric of numbers; `cm.regression"):
        cm.ConfusionMatrix([[3, 1], [2, 5]])["rmse"]
    with pytest.raises(cm.InputError, match="a metric of numbers: see `regression_metrics`"):
        cm.metrics("y", "p", ["rmse"])


def test_dir_is_what_is_public():
    later = ["mlflow", "ray", "spark"]  # which `import *` does not load
    assert dir(cm) == sorted([*cm.__all__, *later])
