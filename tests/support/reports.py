"""Reports of many kinds, and how their pages are read back."""

import json
from html.parser import HTMLParser

import numpy as np
import polars as pl

import confmat as cm

VOID = {"br", "col", "hr", "input", "link", "meta"}
# What people and machines put into labels; all of it is text.
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</div></table></body></html><h1>x",
    "</script><script>alert(1)</script>",
    "</style><style>*{display:none}</style>",
    "<!--",
    "-->",
    "]]>",
    "<svg/onload=alert(1)>",
    "javascript:alert(1)",
    "&lt;b&gt; &amp; &#60;",
    "${7*7}{{7*7}}`",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "\u202egnp.exe",
    "a\x00b\x1b[31mc\r\nd",
    "\u2028\u2029\ufeff",
    "مرحبا",
    "🏳️‍🌈",
)


class Page(HTMLParser):
    """A page as it is read: elements with their attributes, and the text in each."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self._open = [], []
        self.feed(text)
        self.close()
        assert not self._open  # every element that begins ends

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names)
        element = {"tag": tag, "attributes": dict(attrs), "text": ""}
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag):
        assert self._open.pop()["tag"] == tag

    def handle_data(self, data):
        for element in self._open:
            element["text"] += data

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data):
        raise AssertionError(f"a declaration: {data}")

    def all(self, tag, **wanted):
        """Return the elements of a name with these attributes."""
        named = {key.rstrip("_").replace("_", "-"): value for key, value in wanted.items()}
        return [
            one
            for one in self.elements
            if one["tag"] == tag and named.items() <= one["attributes"].items()
        ]

    def data(self, ident):
        """Return the data of the part of this name."""
        at = next(i for i, one in enumerate(self.elements) if one["attributes"].get("id") == ident)
        of = (one for one in self.elements[at:] if one["attributes"].get("class") == "data")
        return json.loads(next(of)["text"])

    def text(self):
        """Return all text that is shown."""
        return next(one for one in self.elements if one["tag"] == "main")["text"]


def page_of(evaluation, folder, **options):
    """Return the page of an evaluation, read back."""
    path = evaluation.report(folder / "report.html", **options)
    return Page(path.read_text("utf-8"))


def shops(rows=4_000, seed=1):
    """Return a log of two classes with scores, two models and two keys."""
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.3).astype(int)
    score = np.clip(0.2 + 0.25 * y + 0.25 * rng.standard_normal(rows), 0, 1).round(3)
    shop = rng.integers(0, 12, rows)
    bad = (shop == 7) & (rng.random(rows) < 0.4)
    p = np.where(bad, 1 - y, score > 0.4)
    names = pl.Series(["no", "yes"])
    return pl.DataFrame(
        {
            "y_true": names.gather(y),
            "y_pred": names.gather(p.astype(int)),
            "other": names.gather((score > 0.55).astype(int)),
            "y_score": score,
            "shop": [f"shop {one}" for one in shop],
            "month": rng.integers(1, 7, rows),
        }
    )


def numbers():
    """Return a regression with the cells of its pairs."""
    rng = np.random.default_rng(4)
    y = rng.gamma(3, 10, 9_000)
    frame = pl.DataFrame({"y_true": y, "y_pred": y + rng.normal(1, 4, 9_000)})
    frame = frame.with_columns(site=pl.Series(rng.choice(["north", "south"], 9_000)))
    return cm.evaluate(frame, by="site", task="regression", metrics=["mae", "r2", "density"])


def binary(rows=4_000, **options):
    """Return the evaluation of that log."""
    asked = {"y_pred": "y_pred", "y_score": "y_score", "pos_label": "yes"}
    return cm.evaluate(shops(rows), by=["shop", "month"], **asked, **options)


def two_models():
    """Return the evaluation of two models on the same rows."""
    models = {"old": "y_pred", "new": "other"}
    return cm.evaluate(shops(), y_pred=models, by=["shop", "month"], pos_label="yes")


def many_classes(k=4, rows=3_000):
    """Return the evaluation of k classes with a score each, by a key."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, k, rows)
    weights = rng.random((rows, k)) + 1.2 * np.eye(k)[y]
    shares = weights / weights.sum(axis=1, keepdims=True)
    names = [f"class {i}" for i in range(k)]
    columns = {f"p{i}": shares[:, i] for i in range(k)}
    log = pl.DataFrame(
        {
            "y_true": pl.Series(names).gather(y),
            "y_pred": pl.Series(names).gather(shares.argmax(axis=1)),
            "site": rng.integers(0, 5, rows),
            **columns,
        }
    )
    return cm.evaluate(log, y_pred="y_pred", y_score=list(columns), labels=names, by="site")


def hostile(models=1):
    """Return an evaluation whose labels, keys, columns and models are markup."""
    rng = np.random.default_rng(3)
    names = pl.Series(HOSTILE)
    y = rng.integers(0, len(HOSTILE), 2_000)
    p = np.where(rng.random(2_000) < 0.5, y, rng.integers(0, len(HOSTILE), 2_000))
    truth, pred, key = '</title><script>alert("t")</script>', '"><b onclick=x>', "<k>'\""
    log = pl.DataFrame(
        {truth: names.gather(y), pred: names.gather(p), key: names.gather(p[::-1].copy())}
    )
    of = pred if models == 1 else {"<i>a</i>": pred, "=b": truth}
    return cm.evaluate(log, y_true=truth, y_pred=of, by=key)


def rare():
    """Return an evaluation whose numbers are very small, below 0 and undefined."""
    rows = 30_000
    y, k = np.arange(rows) % 2, np.arange(rows) % 3
    p = np.where(np.arange(rows) % 7_001 == 0, y, 1 - y)
    p[k == 2] = 0
    return cm.evaluate(pl.DataFrame({"y_true": y, "y_pred": p, "k": k}), by="k")
