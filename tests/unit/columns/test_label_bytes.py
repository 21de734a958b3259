"""Texts in bytes of NumPy (`S`): everywhere what the texts are that they hold."""

import numpy as np
import pytest

import confmat as cm


def in_bytes(texts, dtype=None):
    return np.array([text.encode() for text in texts], dtype=dtype)


def drawn(rows, seed, pool):
    return [pool[at] for at in np.random.default_rng(seed).integers(0, len(pool), rows)]


def told(matrix):
    return matrix.counts.tolist(), matrix.labels, matrix.n_dropped, matrix.n_other


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 19, 31])
def test_bytes_of_every_width(width):
    random = np.random.default_rng(width)
    pool = ["", "a", "é" * (width // 2), "z" * width, "b" * (width - 1), "a" * width]
    pool += ["".join(random.choice(list("abc"), width)) for _ in range(40)]
    true, pred = drawn(5000, 1, pool), drawn(5000, 2, pool)
    y, p = in_bytes(true, f"S{width}"), in_bytes(pred, f"S{width + 1}")
    wanted = told(cm.confusion_matrix(np.array(true), np.array(pred)))
    assert told(cm.confusion_matrix(y, p)) == wanted
    assert told(cm.confusion_matrix(np.repeat(y, 3)[1::3], np.array(pred))) == wanted


def test_bytes_are_their_texts_at_every_door():
    true, score = drawn(2000, 1, ["no", "ja"]), np.random.default_rng(5).random(2000)
    y, u = in_bytes(true), np.array(true)
    for label in (in_bytes(["ja"])[0], np.bytes_(b"ja"), "ja"):
        assert cm.sweep(y, score, pos_label=label) == cm.sweep(u, score, pos_label="ja")
        assert cm.f1(y, y[::-1], pos_label=label) == cm.f1(u, u[::-1], pos_label="ja")
    named = {"labels": ["ja", "no"]}
    in_order = cm.confusion_matrix(u, u[::-1], **named)
    assert cm.confusion_matrix(y, y[::-1], labels=in_bytes(["ja", "no"])) == in_order
    assert in_order.subset(in_bytes(["no"])).labels == ("no",)
    two = np.c_[score, 1 - score]
    assert cm.multiclass_sweep(y, two).labels == ("ja", "no")
    classes = cm.multiclass_sweep(y, two, labels=in_bytes(["no", "ja"]))
    assert classes.log_loss == cm.multiclass_sweep(u, two, labels=["no", "ja"]).log_loss
    assert cm.joint_matrix(y, y[::-1], u) == cm.joint_matrix(u, u[::-1], u)
    fp = np.ones(2000)
    costs = [cm.cost_sweep(of, score, fp=fp, fn=1, pos_label="ja") for of in (y, u)]
    assert costs[0].equals(costs[1])
    hidden = np.ma.MaskedArray(y, mask=np.arange(2000) % 7 == 0)
    assert cm.confusion_matrix(hidden, u).n_dropped == 286


def test_bytes_that_are_no_utf8_are_named():
    values = in_bytes(["a", "b"] * 5000)
    values[[7003, 9001]] = b"\xff"
    good = np.array(["a"] * 10_000)
    words = r"the text at row 7003 of `y_pred` is not UTF-8: \\xff"
    for call in (cm.confusion_matrix, cm.accuracy):
        with pytest.raises(cm.InputError, match=words):
            call(good, values)
    for call in (
        lambda: cm.sweep(values, np.ones(10_000), pos_label="a"),
        lambda: cm.multiclass_sweep(values, np.ones((10_000, 2)) / 2),
        lambda: cm.confusion_matrix(np.ma.MaskedArray(values), good),
    ):
        with pytest.raises(cm.InputError, match=r"at row 7003 of `y_true` is not UTF-8"):
            call()
    for name in ("labels", "pos_label"):
        bad = values[7003] if name == "pos_label" else values[7003:7004]
        with pytest.raises(cm.InputError, match=rf"`{name}` .*bytes"):
            cm.confusion_matrix(good, good, **{name: bad})
    for cut in (b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"):
        with pytest.raises(cm.InputError, match="at row 1 of `y_true` is not UTF-8"):
            cm.confusion_matrix(np.array([b"a", cut]), ["a", "a"])
    with pytest.raises(cm.InputError, match="is not UTF-8") as long:
        cm.confusion_matrix(np.array([b"\xff" * 60_000]), ["a"])
    assert len(str(long.value)) < 400
    a = np.bytes_(b"a")
    assert cm.ConfusionMatrix({a: {a: 1}}).labels == ("a",)
    tall = np.array([b"x" * 65_537])
    with pytest.raises(cm.InputError, match="has 65537 bytes; the limit is 64 KiB"):
        cm.confusion_matrix(tall, tall)


def test_names_of_sets_in_bytes():
    u = np.array(["a", "bé", "c"])
    s = in_bytes(u)

    def rows(names):
        of_objects = np.empty(2, dtype=object)
        of_objects[:] = [names[:1], names]
        none = [None, names[1:]]
        return [of_objects, [names[:1], names], [(), tuple(names)], [list(names), []], none]

    for texts, in_s in zip(rows(u), rows(s), strict=True):
        for labels in (None, u, s):
            found = cm.multilabel(in_s, in_s, labels=labels)
            assert found == cm.multilabel(texts, texts, labels=labels)
            assert cm.multilabel(texts, in_s, labels=labels) == found
    scores = [[0.1, 0.2, 0.3]] * 2
    of_names = [cm.multilabel_sweep(one, scores, labels=u) for one in ([u[:1], u], [s[:1], s])]
    assert of_names[0].log_loss_macro == of_names[1].log_loss_macro
    bad = [s[:1], np.array([b"a", b"\xff"])]
    with pytest.raises(cm.InputError, match=r"^the text at row 1 of `y_pred` is not UTF-8$"):
        cm.multilabel([u[:1], u], bad)
